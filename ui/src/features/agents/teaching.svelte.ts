/** What teaches agents about beads in a project: which of it is wanted, and what that would change. */
import type { AgentFile, AgentFilePlan, AgentFilesPlan } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";
import type { Project } from "../../state/project.svelte";

export const OFFERED: { file: AgentFile; name: string; says: string }[] = [
  { file: "skill", name: "Skill", says: "Claude takes it up by itself when it works on beads." },
  { file: "agent", name: "Agent prompt", says: "An agent called beads, to be chosen for a session." },
  { file: "claude_md", name: "CLAUDE.md", says: "A section that claude always reads." },
  { file: "agents_md", name: "AGENTS.md", says: "The same section for agents that read this file." },
  { file: "permissions", name: "Permission rules", says: "Claude runs these commands without asking." },
];

/** What of an answer would change something. */
export function changing(plan: AgentFilesPlan | null): AgentFilePlan[] {
  return plan?.files.filter((file) => file.change !== "none") ?? [];
}

/** How one of those that are offered stands, in a word. */
export function standing(files: readonly AgentFilePlan[]): string {
  if (files.some((file) => file.state === "refused")) return "Cannot be changed";
  if (files.some((file) => file.state === "newer")) return "From a newer version";
  if (files.length > 0 && files.every((file) => file.state === "current")) return "Installed";
  if (files.every((file) => file.state === "absent")) return "";
  return "Out of date";
}

/** What was done, in a sentence. */
export function done(plan: AgentFilesPlan, remove: boolean): string {
  const paths = changing(plan).map((file) => file.path);
  if (paths.length === 0) return "There was nothing to do.";
  return `${remove ? "Removed from" : "Written"}: ${paths.join(", ")}.`;
}

export class Teaching {
  /** Everything that is offered, as an install and as a removal would change it. */
  all = $state.raw<AgentFilesPlan | null>(null);
  removal = $state.raw<AgentFilesPlan | null>(null);
  wanted = $state.raw<readonly AgentFile[]>([]);
  error = $state.raw<CallError | null>(null);
  said = $state("");
  busy = $state(false);

  /** What an install of what is wanted would change. */
  readonly plan = $derived(this.#of(this.all));
  /** What a removal would. */
  readonly removing = $derived(this.#of(this.removal));
  /** What stands in the way. */
  readonly refused = $derived(this.all?.files.filter((file) => file.state === "refused" && this.wanted.includes(file.file)) ?? []);

  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  /** Looks, and wants what is usual, or what is there. */
  async begin(): Promise<void> {
    await this.#try(async () => {
      const usual = await this.#project.call("agent_files.preview", {});
      await this.#look();
      const there = this.all?.files.filter((file) => file.state !== "absent" && file.state !== "refused") ?? [];
      this.wanted = OFFERED.map(({ file }) => file).filter((file) => (there.length > 0 ? there : usual.files).some((one) => one.file === file));
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
      await this.#look();
    });
    this.busy = false;
  }

  #of(plan: AgentFilesPlan | null): AgentFilePlan[] {
    return changing(plan).filter((file) => this.wanted.includes(file.file));
  }

  async #look(): Promise<void> {
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
