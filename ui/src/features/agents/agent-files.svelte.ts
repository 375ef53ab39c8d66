/** The agent instruction files of a project: the selected ones, and the changes of installing and removing them. */
import type { AgentFile, AgentFilePlan, AgentFilesPlan } from "../../generated/api";
import { Operation } from "../../components/operation.svelte";
import type { Project } from "../../state/project.svelte";

export const OFFERED: { file: AgentFile; name: string; description: string }[] = [
  { file: "skill", name: "Skill", description: "Claude uses it automatically when it works on beads." },
  { file: "agent", name: "Agent prompt", description: "An agent named beads that you can choose for a session." },
  { file: "claude_md", name: "CLAUDE.md", description: "A section that Claude always reads." },
  { file: "agents_md", name: "AGENTS.md", description: "The same section for agents that read this file." },
  { file: "permissions", name: "Permission rules", description: "Claude runs these commands without asking." },
];

/** The files of a plan that would change. */
export function changing(plan: AgentFilesPlan | null): AgentFilePlan[] {
  return plan?.files.filter((file) => file.change !== "none") ?? [];
}

/** The state of an offered file, as a label; empty if it is absent. */
export function stateLabel(files: readonly AgentFilePlan[]): string {
  if (files.some((file) => file.state === "refused")) return "Cannot be changed";
  if (files.some((file) => file.state === "newer")) return "From a newer version";
  if (files.length > 0 && files.every((file) => file.state === "current")) return "Installed";
  if (files.every((file) => file.state === "absent")) return "";
  return "Out of date";
}

/** The result of an installation or removal, as a sentence. */
export function done(plan: AgentFilesPlan, remove: boolean): string {
  const paths = changing(plan).map((file) => file.path);
  if (paths.length === 0) return "Nothing to change.";
  return `${remove ? "Removed from" : "Written"}: ${paths.join(", ")}.`;
}

export class AgentFiles extends Operation {
  /** The plan of installing all offered files, including those that stay the same; null until loaded. */
  all = $state.raw<AgentFilesPlan | null>(null);
  /** The plan of removing them. */
  removal = $state.raw<AgentFilesPlan | null>(null);
  selected = $state.raw<readonly AgentFile[]>([]);
  /** The result of the last installation or removal, as a sentence. */
  result = $state("");

  /** The changes of installing the selected files. */
  readonly plan = $derived(this.#of(this.all));
  /** The changes of removing the selected files. */
  readonly removable = $derived(this.#of(this.removal));
  /** Selected files that cannot be changed. */
  readonly refused = $derived(
    this.all?.files.filter((file) => file.state === "refused" && this.selected.includes(file.file)) ?? [],
  );

  readonly #project: Project;

  constructor(project: Project) {
    super();
    this.#project = project;
  }

  /** Loads the plans and selects the installed files, or the default ones. */
  async read(): Promise<void> {
    await this.try(async () => {
      const usual = await this.#project.call("agent_files.preview", {});
      await this.#preview();
      const installed = this.all?.files.filter((file) => file.state !== "absent" && file.state !== "refused") ?? [];
      this.selected = OFFERED.map(({ file }) => file).filter((file) =>
        (installed.length > 0 ? installed : usual.files).some((one) => one.file === file),
      );
    });
  }

  select(file: AgentFile, on: boolean): void {
    this.selected = OFFERED.map((one) => one.file).filter((one) => (one === file ? on : this.selected.includes(one)));
    this.result = "";
  }

  filesOf(file: AgentFile): AgentFilePlan[] {
    return this.all?.files.filter((one) => one.file === file) ?? [];
  }

  /** Installs or removes the selected files. */
  async apply(remove: boolean): Promise<void> {
    await this.run(async () => {
      const files = [...this.selected];
      const plan = await this.#project.call(remove ? "agent_files.remove" : "agent_files.install", { files });
      this.result = done(plan, remove);
      await this.#preview();
    });
  }

  #of(plan: AgentFilesPlan | null): AgentFilePlan[] {
    return changing(plan).filter((file) => this.selected.includes(file.file));
  }

  async #preview(): Promise<void> {
    const files = OFFERED.map(({ file }) => file);
    [this.all, this.removal] = await Promise.all([
      this.#project.call("agent_files.preview", { files }),
      this.#project.call("agent_files.preview", { files, remove: true }),
    ]);
  }
}
