/**
 * Results of the engine's full-text search in all sessions. A search starts when typing pauses. Only the answer to the
 * last request counts.
 */
import type { FoundSession, Query as Asked, SearchAnswer, SessionId } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";

/** The delay between typing and searching, in milliseconds. */
export const TYPING_PAUSE_MS = 200;
/** The engine's time limit for updating its index, in milliseconds; after it, the results can be partial. */
const ANSWER_MS = 700;
const PAGE = 50;
/** The page size when all remaining results are loaded. */
const MAX_PAGE = 500;

export class SessionSearch {
  /** The results by session; empty if the query has no text. */
  sessions = $state.raw<ReadonlyMap<SessionId, FoundSession>>(new Map());
  more = $state(false);
  notes = $state.raw<string[]>([]);
  error = $state.raw<CallError | null>(null);
  busy = $state(false);

  readonly #ask: (query: Asked) => Promise<SearchAnswer>;
  #query: Asked = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;

  constructor(ask: (query: Asked) => Promise<SearchAnswer>) {
    this.#ask = ask;
  }

  /** Starts a search after a pause. */
  search(query: Asked): void {
    clearTimeout(this.#timer);
    this.#round++;
    this.#query = query;
    this.busy = (query.text ?? "").trim() !== "";
    if (this.busy) this.#timer = setTimeout(() => void this.#page(0), TYPING_PAUSE_MS);
    else this.#show(new Map(), { more: false, notes: [] });
  }

  again(): void {
    this.search(this.#query);
  }

  /** Loads the next page. */
  async next(): Promise<void> {
    if (!this.busy && this.more) await this.#page(this.sessions.size);
  }

  /** Loads all remaining pages. Returns whether that succeeded. */
  async all(): Promise<boolean> {
    const round = this.#round;
    while (this.more && !this.error && round === this.#round) await this.#page(this.sessions.size, MAX_PAGE);
    return !this.more && !this.error && round === this.#round;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#round++;
  }

  async #page(skip: number, limit = PAGE): Promise<void> {
    const round = this.#round;
    this.busy = true;
    try {
      let answer: SearchAnswer;
      do {
        answer = await this.#ask({ ...this.#query, skip, limit, within_ms: ANSWER_MS });
        if (round !== this.#round) return;
        // The first search of many sessions can take minutes, so partial results are shown until it ends.
        if (skip > 0 && answer.behind > 0) continue;
        const found = answer.sessions.map((one) => [one.session.id, one] as const);
        this.#show(new Map([...(skip > 0 ? this.sessions : []), ...found]), answer);
      } while (answer.behind > 0);
    } catch (thrown) {
      if (round !== this.#round) return;
      // The shown results belong to another query.
      if (skip === 0) this.#show(new Map(), { more: false, notes: [] });
      this.error = asCallError(thrown);
    }
    this.busy = false;
  }

  #show(sessions: ReadonlyMap<SessionId, FoundSession>, { more, notes }: Pick<SearchAnswer, "more" | "notes">): void {
    this.sessions = sessions;
    this.more = more;
    this.notes = notes;
    this.error = null;
  }
}
