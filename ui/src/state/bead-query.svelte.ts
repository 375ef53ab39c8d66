/**
 * The server's answer to the query line. At most one query is asked at a time, and only the newest text is asked next,
 * so that fast typing costs as many queries as the server can answer. Until the answer arrives, the last one stays.
 */
import type { BeadId, BeadQueryAnswer, QueryProblem } from "../generated/api";
import { asCallError, type CallError } from "../platform";

export class BeadQuery {
  /** The matching beads; null if there is no query, or no answer yet. */
  ids = $state.raw<ReadonlySet<BeadId> | null>(null);
  problems = $state.raw<readonly QueryProblem[]>([]);
  /** Why the last query was not answered. */
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

  /** Asks for this query, also if it is the same: its beads may have changed. */
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
