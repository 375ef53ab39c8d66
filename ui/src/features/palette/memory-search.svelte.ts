/** Searches memories for the palette's query, after a pause in typing. Only the last answer counts. */
import type { MemoryEntry } from "../../generated/api";
import { REST, type Call } from "../../state/memories.svelte";

const MAX_FOUND = 8;
/** Shorter queries find nothing. */
const MIN_LENGTH = 2;

export class MemorySearch {
  found = $state.raw<readonly MemoryEntry[]>([]);

  readonly #call: Call;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;

  constructor(call: Call) {
    this.#call = call;
  }

  search(text: string): void {
    const round = ++this.#round;
    clearTimeout(this.#timer);
    const query = text.trim();
    if (query.length < MIN_LENGTH) this.found = [];
    else this.#timer = setTimeout(() => void this.#ask(query, round), REST);
  }

  async #ask(query: string, round: number): Promise<void> {
    try {
      const { memories } = await this.#call("memory.search", { query, filter: { limit: MAX_FOUND } });
      if (round === this.#round) this.found = memories;
    } catch {
      // The palette works without memories; the Memory view reports errors.
      if (round === this.#round) this.found = [];
    }
  }
}
