/** The agent instruction files of a project: which are selected, and what installing them would change. */
import type { AgentFile, AgentFilePlan, AgentFilesPlan } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";
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
export function standing(files: readonly AgentFilePlan[]): string {
  if (files.some((file) => file.state === "refused")) return "Cannot be changed";
  if (files.some((file) => file.state === "newer")) return "From a newer version";
  if (files.length > 0 && files.every((file) => file.state === "current")) return "Installed";
  if (files.every((file) => file.state === "absent")) return "";
  return "Out of date";
}

/** The result, as a sentence. */
export function done(plan: AgentFilesPlan, remove: boolean): string {
  const paths = changing(plan).map((file) => file.path);
  if (paths.length === 0) return "Nothing to change.";
  return `${remove ? "Removed from" : "Written"}: ${paths.join(", ")}.`;
}

export class AgentFiles {
  /** What installing all offered files would change; `removal`: what removing them would change. */
  all = $state.raw<AgentFilesPlan | null>(null);
  removal = $state.raw<AgentFilesPlan | null>(null);
  wanted = $state.raw<readonly AgentFile[]>([]);
  error = $state.raw<CallError | null>(null);
  said = $state("");
  busy = $state(false);

  /** What installing the selected files would change. */
  readonly plan = $derived(this.#of(this.all));
  /** What removing the selected files would change. */
  readonly removing = $derived(this.#of(this.removal));
  /** Selected files that cannot be changed. */
  readonly refused = $derived(
    this.all?.files.filter((file) => file.state === "refused" && this.wanted.includes(file.file)) ?? [],
  );

  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  /** Loads the plans and selects the installed files, or the default ones. */
  async begin(): Promise<void> {
    await this.#try(async () => {
      const usual = await this.#project.call("agent_files.preview", {});
      await this.#load();
      const there = this.all?.files.filter((file) => file.state !== "absent" && file.state !== "refused") ?? [];
      this.wanted = OFFERED.map(({ file }) => file).filter((file) =>
        (there.length > 0 ? there : usual.files).some((one) => one.file === file),
      );
    });
  }

  want(file: AgentFile, on: boolean): void {
    this.wanted = OFFERED.map((one) => one.file).filter((one) => (one === file ? on : this.wanted.includes(one)));
    this.said = "";
  }

  filesOf(file: AgentFile): AgentFilePlan[] {
    return this.all?.files.filter((one) => one.file === file) ?? [];
  }

  async carryOut(remove: boolean): Promise<void> {
    this.busy = true;
    await this.#try(async () => {
      const files = [...this.wanted];
      const plan = await this.#project.call(remove ? "agent_files.remove" : "agent_files.install", { files });
      this.said = done(plan, remove);
      await this.#load();
    });
    this.busy = false;
  }

  #of(plan: AgentFilesPlan | null): AgentFilePlan[] {
    return changing(plan).filter((file) => this.wanted.includes(file.file));
  }

  async #load(): Promise<void> {
    const files = OFFERED.map(({ file }) => file);
    [this.all, this.removal] = await Promise.all([
      this.#project.call("agent_files.preview", { files }),
      this.#project.call("agent_files.preview", { files, remove: true }),
    ]);
  }

  async #try(work: () => Promise<void>): Promise<void> {
    this.error = null;
    try {
      await work();
    } catch (thrown) {
      this.error = asCallError(thrown);
    }
  }
}
