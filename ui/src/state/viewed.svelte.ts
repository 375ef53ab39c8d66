/**
 * The viewed files of a session's changes. The engine stores them for all windows. Marks are shown at once,
 * before they are stored.
 */
import type { SessionId, SessionViewed } from "../generated/api";
import type { Call } from "../platform";

export class Viewed {
  /** Whether the first request for the marks has ended, even with an error. */
  asked = $state(false);
  #stored = $state.raw<ReadonlyMap<string, string>>(new Map());
  /** Marks that are being stored; null removes a mark. */
  #storing = $state.raw<readonly { path: string; content: string | null }[]>([]);

  readonly #call: Call;
  readonly #id: SessionId;
  /** One request at a time, so that an older answer never replaces a newer one. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(call: Call, id: SessionId) {
    this.#call = call;
    this.#id = id;
  }

  /** Per path, the ID of the content that was viewed. */
  readonly marks: ReadonlyMap<string, string> = $derived.by(() => {
    const marks = new Map(this.#stored);
    for (const { path, content } of this.#storing) {
      if (content === null) marks.delete(path);
      else marks.set(path, content);
    }
    return marks;
  });

  /** Loads the marks. On failure the known marks stay. */
  async read(): Promise<void> {
    await this.#turn(() => this.#call("session.viewed", { id: this.#id })).catch(() => {});
    this.asked = true;
  }

  /** Marks a file as viewed with this content, or unmarks it with null. Rejects and reverts the mark if
   * it cannot be stored. */
  async set(path: string, content: string | null): Promise<void> {
    const mark = { path, content };
    this.#storing = [...this.#storing, mark];
    try {
      await this.#turn(() => this.#call("session.set_viewed", { id: this.#id, path, content }));
    } finally {
      this.#storing = this.#storing.filter((other) => other !== mark);
    }
  }

  async #turn(ask: () => Promise<SessionViewed>): Promise<void> {
    const answer = this.#last.then(ask);
    this.#last = answer.catch(() => {});
    this.#stored = new Map(Object.entries((await answer).files));
  }
}
