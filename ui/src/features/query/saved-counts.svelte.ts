/** The number of beads for each saved view's query. Queries run one after another, after a pause in changes. */
import type { BeadQueryAnswer } from "../../generated/api";

const DELAY_MS = 300;

export class SavedCounts {
  #counts = $state.raw<ReadonlyMap<string, number>>(new Map());
  readonly #ask: (query: string) => Promise<BeadQueryAnswer>;
  #all = 0;

  constructor(ask: (query: string) => Promise<BeadQueryAnswer>) {
    this.#ask = ask;
  }

  /** The number of beads; null until it is known. */
  of(query: string): number | null {
    return query === "" ? this.#all : (this.#counts.get(query) ?? null);
  }

  /** Counts again for the current beads. Returns a function that stops it. */
  watch(queries: readonly string[], all: number, _readAt: number): () => void {
    this.#all = all;
    let stopped = false;
    const timer = setTimeout(async () => {
      for (const query of new Set(queries.filter(Boolean))) {
        try {
          const { ids } = await this.#ask(query);
          if (stopped) return;
          this.#counts = new Map(this.#counts).set(query, ids.length);
        } catch {
          // The saved view shows the error when it is opened.
        }
      }
    }, DELAY_MS);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }
}
