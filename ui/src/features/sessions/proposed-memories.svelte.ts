/** The memories that are proposed when a session ends, and those to keep. By default, none is kept. */
import type { Proposal, SessionView } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import type { Project } from "../../state/project.svelte";
import { plural } from "../../words/count";

export class ProposedMemories {
  list = $state.raw<Proposal[]>([]);
  kept = $state.raw<ReadonlySet<string>>(new Set());

  readonly #project: Pick<Project, "call" | "memories">;
  readonly #session: SessionView;

  constructor(project: Pick<Project, "call" | "memories">, session: SessionView) {
    this.#project = project;
    this.#session = session;
  }

  /** Loads the proposals. An error means no proposals, since it must not prevent the end. */
  async read(): Promise<void> {
    try {
      this.list = (await this.#project.call("memory.proposals", { id: this.#session.id })).proposals;
    } catch {
      this.list = [];
    }
  }

  want(key: string, on: boolean): void {
    const other = new Set(this.kept);
    if (on) other.add(key);
    else other.delete(key);
    this.kept = other;
  }

  /** Saves the selected memories; if one fails, the others are still saved. */
  async keep({ toasts }: Pick<App, "toasts">): Promise<void> {
    const { id: session, bead_id, agent_id } = this.#session;
    let stored = 0;
    for (const { key, content, memory_type, importance } of this.list.filter(({ key }) => this.kept.has(key))) {
      try {
        await this.#project.call("memory.save", {
          key,
          content,
          memory_type,
          importance,
          session,
          bead: bead_id ?? null,
          agent: agent_id ?? null,
        });
        stored++;
      } catch (thrown) {
        toasts.error(thrown);
      }
    }
    if (stored === 0) return;
    this.#project.memories.changed();
    toasts.done(`${plural(stored, "memory", "memories")} saved.`);
  }
}
