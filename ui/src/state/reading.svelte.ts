/**
 * A conversation that is loaded in pages: its end first, other pages on demand, and any position directly. New
 * messages are added if the end is loaded.
 */
import type { Message, SessionId, SessionPageParams, TranscriptPage } from "../generated/api";
import { asCallError, type CallError } from "../platform";
import { LOADING, READY, type Phase } from "./phase";

/** The number of messages in a page. */
export const PAGE = 200;

export type Place = { message: string } | { at: string } | { place: number };

export class Reading {
  readonly id: SessionId;
  messages = $state.raw<readonly Message[]>([]);
  /** The index of the first loaded message. */
  first = $state(0);
  /** The number of messages in the conversation. */
  total = $state(0);
  phase = $state.raw<Phase>(LOADING);
  /** Incremented when the loaded range is replaced rather than extended. */
  round = $state(0);
  /** Why an earlier or later page could not be loaded. */
  error = $state.raw<CallError | null>(null);

  readonly #ask: (params: SessionPageParams) => Promise<TranscriptPage>;
  /** The kind of load that is running. */
  #busy: "replace" | "more" | null = null;
  /** The number of the last request; only its answer counts. */
  #asked = 0;
  /** Messages that arrived during a request. */
  #arrived: Message[] = [];

  constructor(id: SessionId, ask: (params: SessionPageParams) => Promise<TranscriptPage>) {
    this.id = id;
    this.#ask = ask;
  }

  get begins(): boolean {
    return this.first === 0;
  }

  get ends(): boolean {
    return this.first + this.messages.length >= this.total;
  }

  /** Loads the end of the conversation. */
  async open(): Promise<void> {
    if (this.phase.state === "failed") this.phase = LOADING;
    const mine = this.#asked + 1;
    try {
      await this.#replace({});
    } catch (thrown) {
      // A later request reports its own error.
      if (mine === this.#asked) this.phase = { state: "failed", error: asCallError(thrown) };
    }
  }

  /** Loads the previous page. */
  async earlier(): Promise<void> {
    if (this.begins) return;
    await this.#more({ before: this.first, limit: Math.min(PAGE, this.first) }, (page) => {
      this.first = page.first;
      this.messages = [...page.messages, ...this.messages];
    });
  }

  /** Loads the next page. */
  async later(): Promise<void> {
    if (this.ends) return;
    const end = this.first + this.messages.length;
    const before = Math.min(this.total, end + PAGE);
    await this.#more({ before, limit: before - end }, (page) => {
      // Messages are never removed, so the new ones follow those that are loaded.
      this.messages = [...this.messages, ...page.messages.slice(Math.max(0, end - page.first))];
    });
  }

  /** Loads a position and returns its message, or null if there is none. Rejects if it cannot be loaded. */
  async reach(place: Place): Promise<Message | null> {
    const here = this.#at(place);
    if (here) return here;
    const asked = "place" in place ? { before: Math.min(this.total, place.place + Math.ceil(PAGE / 2)) } : place;
    const page = await this.#replace(asked);
    if ("place" in place) return this.messages[place.place - this.first] ?? null;
    return page?.place === undefined || page.place === null ? null : (this.messages[page.place - this.first] ?? null);
  }

  upsert(message: Message): void {
    // The pending answer may be older than this message.
    if (this.#busy) this.#arrived.push(message);
    if (this.#busy !== "replace") this.#put(message);
  }

  #at(place: Place): Message | null {
    if ("place" in place) return this.messages[place.place - this.first] ?? null;
    if ("message" in place) return this.messages.find(({ id }) => id === place.message) ?? null;
    const wanted = Date.parse(place.at);
    const [begin, end] = [this.messages[0], this.messages.at(-1)];
    // If earlier messages are not loaded, the first loaded one may not be the first one after that time.
    if (!begin || !end || (!this.begins && Date.parse(begin.timestamp) >= wanted)) return null;
    if (Date.parse(end.timestamp) < wanted) return this.ends ? end : null;
    return this.messages.find(({ timestamp }) => Date.parse(timestamp) >= wanted) ?? null;
  }

  async #replace(params: Omit<SessionPageParams, "id" | "limit">): Promise<TranscriptPage | null> {
    this.#busy = "replace";
    const mine = ++this.#asked;
    try {
      const page = await this.#ask({ id: this.id, limit: PAGE, ...params });
      if (mine !== this.#asked) return null;
      [this.messages, this.first, this.total, this.error] = [page.messages, page.first, page.total, null];
      this.phase = READY;
      this.round++;
      this.#settle();
      return page;
    } finally {
      if (mine === this.#asked) this.#busy = null;
    }
  }

  async #more(params: Omit<SessionPageParams, "id">, take: (page: TranscriptPage) => void): Promise<void> {
    if (this.#busy || this.error) return;
    this.#busy = "more";
    const mine = ++this.#asked;
    try {
      const page = await this.#ask({ id: this.id, ...params });
      if (mine !== this.#asked) return;
      this.total = Math.max(this.total, page.total);
      take(page);
      this.#settle();
    } catch (thrown) {
      if (mine === this.#asked) this.error = asCallError(thrown);
    } finally {
      if (mine === this.#asked) this.#busy = null;
    }
  }

  /** Clears the error, so that scrolling retries the load. */
  again(): void {
    this.error = null;
  }

  #settle(): void {
    const arrived = this.#arrived;
    this.#arrived = [];
    arrived.forEach((message) => this.#put(message));
  }

  #put(message: Message): void {
    // A complete message replaces its partial one.
    const at = this.messages.findLastIndex(({ id }) => id === message.id || id === message.replaces);
    if (at >= 0) {
      this.messages = this.messages.with(at, message);
      return;
    }
    const last = this.messages.at(-1);
    // Older messages are loaded on demand, so this one is dropped.
    const newer = !last || Date.parse(message.timestamp) >= Date.parse(last.timestamp);
    if (!this.ends || !newer) return;
    this.messages = [...this.messages, message];
    this.total = Math.max(this.total, this.first + this.messages.length);
  }
}
