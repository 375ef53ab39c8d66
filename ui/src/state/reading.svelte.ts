/**
 * A conversation that is read in parts: its end first, what is before and after it when somebody gets there, and
 * any place at once. However long it is, only what was looked at is here. What is said meanwhile joins at the end.
 */
import type { Message, SessionId, SessionPageParams, TranscriptPage } from "../generated/api";
import { asCallError, type CallError } from "../platform";
import { LOADING, READY, type Phase } from "./phase";

/** So many messages are read at once. */
export const PAGE = 200;

export type Place = { message: string } | { at: string } | { place: number };

export class Reading {
  readonly id: SessionId;
  messages = $state.raw<readonly Message[]>([]);
  /** The place of the first one, from 0. */
  first = $state(0);
  /** How many the conversation has. */
  total = $state(0);
  phase = $state.raw<Phase>(LOADING);
  /** Grows when what is here is somewhere else and not more of the same. */
  round = $state(0);
  /** Why there is no more of it. */
  error = $state.raw<CallError | null>(null);

  readonly #ask: (params: SessionPageParams) => Promise<TranscriptPage>;
  /** What is being read. */
  #busy: "anew" | "more" | null = null;
  /** Which question was the last: of several under way only its answer counts. */
  #asked = 0;
  /** What was said while a part was on its way. */
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

  /** From the end on. */
  async open(): Promise<void> {
    if (this.phase.state === "failed") this.phase = LOADING;
    const mine = this.#asked + 1;
    try {
      await this.#anew({});
    } catch (thrown) {
      // Whoever asked later gets what there is to be said.
      if (mine === this.#asked) this.phase = { state: "failed", error: asCallError(thrown) };
    }
  }

  /** What is before it. */
  async earlier(): Promise<void> {
    if (this.begins) return;
    await this.#more({ before: this.first, limit: Math.min(PAGE, this.first) }, (page) => {
      this.first = page.first;
      this.messages = [...page.messages, ...this.messages];
    });
  }

  /** What is after it. */
  async later(): Promise<void> {
    if (this.ends) return;
    const end = this.first + this.messages.length;
    const before = Math.min(this.total, end + PAGE);
    await this.#more({ before, limit: before - end }, (page) => {
      // Messages are never taken out: what came meanwhile is after them.
      this.messages = [...this.messages, ...page.messages.slice(Math.max(0, end - page.first))];
    });
  }

  /** Sees to it that a place is here; which message is there, null where there is none. Rejects where it cannot be read. */
  async reach(place: Place): Promise<Message | null> {
    const here = this.#at(place);
    if (here) return here;
    const asked = "place" in place ? { before: Math.min(this.total, place.place + Math.ceil(PAGE / 2)) } : place;
    const page = await this.#anew(asked);
    if ("place" in place) return this.messages[place.place - this.first] ?? null;
    return page?.place === undefined || page.place === null ? null : (this.messages[page.place - this.first] ?? null);
  }

  upsert(message: Message): void {
    // The answer that is on its way may be older than it.
    if (this.#busy) this.#arrived.push(message);
    if (this.#busy !== "anew") this.#put(message);
  }

  #at(place: Place): Message | null {
    if ("place" in place) return this.messages[place.place - this.first] ?? null;
    if ("message" in place) return this.messages.find(({ id }) => id === place.message) ?? null;
    const wanted = Date.parse(place.at);
    const [begin, end] = [this.messages[0], this.messages.at(-1)];
    // The first one of what is here may not be the first one after that moment.
    if (!begin || !end || (!this.begins && Date.parse(begin.timestamp) >= wanted)) return null;
    if (Date.parse(end.timestamp) < wanted) return this.ends ? end : null;
    return this.messages.find(({ timestamp }) => Date.parse(timestamp) >= wanted) ?? null;
  }

  async #anew(params: Omit<SessionPageParams, "id" | "limit">): Promise<TranscriptPage | null> {
    this.#busy = "anew";
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

  /** After a failure: whoever gets there asks again. */
  again(): void {
    this.error = null;
  }

  #settle(): void {
    const arrived = this.#arrived;
    this.#arrived = [];
    arrived.forEach((message) => this.#put(message));
  }

  #put(message: Message): void {
    const at = this.messages.findLastIndex(({ id }) => id === message.id);
    if (at >= 0) {
      this.messages = this.messages.with(at, message);
      return;
    }
    const last = this.messages.at(-1);
    // An older one that is not here is read when somebody gets there.
    const newer = !last || Date.parse(message.timestamp) >= Date.parse(last.timestamp);
    if (!this.ends || !newer) return;
    this.messages = [...this.messages, message];
    this.total = Math.max(this.total, this.first + this.messages.length);
  }
}
