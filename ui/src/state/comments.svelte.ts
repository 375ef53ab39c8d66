/**
 * The unresolved comments on a session's changes. The engine stores them, so that they survive a restart and show in
 * every window.
 */
import type { ChangeComment, ChangeComments, SessionId } from "../generated/api";
import type { Call } from "../platform";
import type { ReviewComment } from "../words/review-comments";

export class Comments {
  #all = $state.raw<readonly ChangeComment[]>([]);
  readonly #call: Call;
  readonly #id: SessionId;
  /** One request at a time, so that an older answer never replaces a newer one. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(call: Call, id: SessionId) {
    this.#call = call;
    this.#id = id;
  }

  readonly all: readonly ReviewComment[] = $derived(
    this.#all.map(({ comment, sent_at, ...one }) => ({ ...one, id: comment, sent: sent_at ?? null })),
  );
  readonly unsent = $derived(this.all.filter(({ sent }) => sent === null));

  /** On failure, the known comments stay. */
  async read(): Promise<void> {
    await this.#turn(() => this.#call("session.comments", { id: this.#id })).catch(() => {});
  }

  /** Adds or changes comments. */
  put(comments: readonly ReviewComment[]): Promise<void> {
    return this.#set(
      comments.map(({ id, sent, ...one }) => ({ ...one, comment: id ?? "", sent_at: sent ?? null })),
      [],
    );
  }

  /** Removes discarded or resolved comments. */
  remove(comments: readonly ReviewComment[]): Promise<void> {
    return this.#set(
      [],
      comments.map(({ id }) => id ?? ""),
    );
  }

  async #set(put: ChangeComment[], remove: string[]): Promise<void> {
    const before = this.#all;
    const changed = new Set([...put.map(({ comment }) => comment), ...remove]);
    const updated = (one: ChangeComment) => put.find(({ comment }) => comment === one.comment) ?? one;
    const added = put.filter(({ comment }) => !before.some((one) => one.comment === comment));
    this.#all = [...before.filter(({ comment }) => !remove.includes(comment)).map(updated), ...added];
    try {
      await this.#turn(() => this.#call("session.set_comments", { id: this.#id, put, remove }));
    } catch (thrown) {
      const unchanged = this.#all.filter(({ comment }) => !changed.has(comment));
      this.#all = [...unchanged, ...before.filter(({ comment }) => changed.has(comment))];
      throw thrown;
    }
  }

  async #turn(ask: () => Promise<ChangeComments>): Promise<void> {
    const answer = this.#last.then(ask);
    this.#last = answer.catch(() => {});
    this.#all = (await answer).comments;
  }
}
