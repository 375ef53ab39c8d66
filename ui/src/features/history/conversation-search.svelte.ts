/** A search in a whole conversation, including messages that are not loaded: the matching messages and the current
 * match. */
import type { SessionFindParams, SessionFound, SessionId } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";
import { TYPING_PAUSE_MS } from "./session-search.svelte";

export class ConversationSearch {
  text = $state("");
  /** The indices of matching messages, in order; null until known. */
  places = $state.raw<readonly number[] | null>(null);
  /** The index of the current match in `places`. */
  at = $state(0);
  error = $state.raw<CallError | null>(null);

  readonly #ask: (params: SessionFindParams) => Promise<SessionFound>;
  readonly #id: SessionId;
  readonly #show: (place: number) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;

  constructor(id: SessionId, ask: (params: SessionFindParams) => Promise<SessionFound>, show: (place: number) => void) {
    this.#id = id;
    this.#ask = ask;
    this.#show = show;
  }

  /** Searches after a pause in typing, and shows the first match from message `near` on, or else the last match. */
  search(text: string, near: number | null = null): void {
    clearTimeout(this.#timer);
    this.#round++;
    this.text = text;
    [this.places, this.error] = [null, null];
    if (text.trim() !== "") this.#timer = setTimeout(() => void this.#find(near), TYPING_PAUSE_MS);
  }

  /** Goes to the next match, or with -1 to the previous one, wrapping around. */
  step(by: 1 | -1): void {
    if (!this.places || this.places.length === 0) return;
    this.at = (this.at + by + this.places.length) % this.places.length;
    this.#shown();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#round++;
  }

  async #find(near: number | null): Promise<void> {
    const round = this.#round;
    try {
      const { places } = await this.#ask({ id: this.#id, text: this.text, limit: 1 });
      if (round !== this.#round) return;
      this.places = places;
      const after = near === null ? -1 : places.findIndex((place) => place >= near);
      this.at = after < 0 ? Math.max(0, places.length - 1) : after;
      this.#shown();
    } catch (thrown) {
      if (round === this.#round) this.error = asCallError(thrown);
    }
  }

  #shown(): void {
    const place = this.places?.[this.at];
    if (place !== undefined) this.#show(place);
  }
}
