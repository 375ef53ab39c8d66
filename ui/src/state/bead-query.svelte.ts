/**
 * The engine's answer to the query line. At most one request runs at a time, and the newest text is sent next:
 * fast typing must not overload the engine. The last answer stays until the next one arrives.
 */
import type { BeadId, BeadQueryAnswer, QueryProblem } from "../generated/api";
import { asCallError, type CallError } from "../platform";

export class BeadQuery {
  /** The matching beads; null if there is no query, or no answer yet. */
  ids = $state.raw<ReadonlySet<BeadId> | null>(null);
  problems = $state.raw<readonly QueryProblem[]>([]);
  /** Why the last query failed. */
  error = $state.raw<CallError | null>(null);
  /** The query that `ids` answers. */
  answered = $state("");

  readonly #ask: (query: string) => Promise<BeadQueryAnswer>;
  #wanted = "";
  #running = false;
  #stale = false;

  constructor(ask: (query: string) => Promise<BeadQueryAnswer>) {
    this.#ask = ask;
  }

  /** Requests this query, even if it is unchanged: its beads may have changed. */
  ask(query: string): void {
    this.#wanted = query.trim();
    if (this.#wanted === "") return this.#clear();
    this.#stale = true;
    if (!this.#running) void this.#run();
  }

  #clear(): void {
    this.#stale = false;
    this.ids = null;
    this.problems = [];
    this.error = null;
    this.answered = "";
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#stale) {
      this.#stale = false;
      const asked = this.#wanted;
      try {
        const { ids, problems } = await this.#ask(asked);
        if (this.#wanted !== asked) continue;
        this.ids = new Set(ids);
        this.problems = problems;
        this.answered = asked;
        this.error = null;
      } catch (thrown) {
        if (this.#wanted === asked) this.error = asCallError(thrown);
      }
    }
    this.#running = false;
  }
}
