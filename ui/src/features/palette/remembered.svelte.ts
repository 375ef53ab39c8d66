/** Memories with the words that are typed in the palette, looked for when the typing rests; the last one asked for counts. */
import type { MemoryEntry } from "../../generated/api";
import { REST, type Call } from "../../state/memories.svelte";

/** So many are offered. */
const MOST = 8;
/** Less than that says nothing. */
const SHORTEST = 2;

export class Remembered {
  found = $state.raw<readonly MemoryEntry[]>([]);

  readonly #call: Call;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;

  constructor(call: Call) {
    this.#call = call;
  }

  look(text: string): void {
    const round = ++this.#round;
    clearTimeout(this.#timer);
    const query = text.trim();
    if (query.length < SHORTEST) this.found = [];
    else this.#timer = setTimeout(() => void this.#ask(query, round), REST);
  }

  async #ask(query: string, round: number): Promise<void> {
    try {
      const { memories } = await this.#call("memory.search", { query, filter: { limit: MOST } });
      if (round === this.#round) this.found = memories;
    } catch {
      // The palette goes on without: the Memory view says what is wrong.
      if (round === this.#round) this.found = [];
    }
  }
}
