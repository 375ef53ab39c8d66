/**
 * The memories of one project that match the filters. A search starts when typing pauses; only the answer to the last
 * request counts.
 */
import type { MemoryList, MemoryListParams, MemoryType } from "../generated/api";
import { asCallError, type Call } from "../platform";
import { LOADING, READY, type Phase } from "./phase";

/** The delay between typing and searching, in milliseconds. */
export const REST = 120;
/** The maximum number of search results. */
const MAX_FOUND = 200;

export interface Wanted {
  text: string;
  agent: string | null;
  session: string | null;
  type: MemoryType | null;
  tag: string | null;
  forgotten: boolean;
}
export const EVERYTHING: Wanted = { text: "", agent: null, session: null, type: null, tag: null, forgotten: false };

export type { Call };

export class Memories {
  wanted = $state.raw<Wanted>(EVERYTHING);
  shown = $state.raw<MemoryList | null>(null);
  phase = $state.raw<Phase>(LOADING);
  busy = $state(false);
  /** Incremented on every change; components that show one memory reload it. */
  changes = $state(0);

  readonly list = $derived(this.shown?.memories ?? []);
  readonly filtered = $derived(JSON.stringify(this.wanted) !== JSON.stringify(EVERYTHING));

  readonly #call: Call;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;
  #opened = false;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Loads the memories and keeps them up to date from now on. */
  open(): void {
    this.#opened = true;
    void this.reload();
  }

  want(change: Partial<Wanted>): void {
    this.wanted = { ...this.wanted, ...change };
    clearTimeout(this.#timer);
    if (change.text === undefined || change.text === "") void this.reload();
    else this.#timer = setTimeout(() => void this.reload(), REST);
  }

  /** Reloads if the memories were opened, because a memory or the tracker changed. */
  changed(): void {
    this.changes++;
    if (this.#opened) void this.reload();
  }

  async reload(): Promise<void> {
    const round = ++this.#round;
    this.busy = true;
    try {
      const shown = await this.#ask();
      if (round !== this.#round) return;
      this.shown = shown;
      this.phase = READY;
    } catch (thrown) {
      if (round !== this.#round) return;
      this.phase = { state: "failed", error: asCallError(thrown) };
    }
    this.busy = false;
  }

  #ask(): Promise<MemoryList> {
    const { text, ...rest } = this.wanted;
    const query = text.trim();
    const filter = asked(rest);
    return query === ""
      ? this.#call("memory.list", filter)
      : this.#call("memory.search", { query, filter: { ...filter, limit: MAX_FOUND } });
  }
}

function asked({ agent, session, type, tag, forgotten }: Omit<Wanted, "text">): MemoryListParams {
  return { agent, session, memory_type: type, tags: tag === null ? [] : [tag], forgotten };
}
