/**
 * Which files of a session's change somebody has looked at. The program keeps it, for every window and browser; what is
 * marked here is shown at once, before it is kept.
 */
import type { Api, SessionId, SessionViewed } from "../generated/api";

type Call = <K extends "session.viewed" | "session.set_viewed">(method: K, params: Api[K]["params"]) => Promise<Api[K]["result"]>;

export class Viewed {
  /** Whether it was asked what there is. */
  asked = $state(false);
  #kept = $state.raw<ReadonlyMap<string, string>>(new Map());
  /** What is on its way to be kept; null is a mark that is taken away. */
  #under = $state.raw<readonly { path: string; content: string | null }[]>([]);

  readonly #call: Call;
  readonly #id: SessionId;
  /** One question at a time: an older answer must not come after a newer one. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(call: Call, id: SessionId) {
    this.#call = call;
    this.#id = id;
  }

  /** By the files' names, the content that each had when it was looked at. */
  readonly marks: ReadonlyMap<string, string> = $derived.by(() => {
    const marks = new Map(this.#kept);
    for (const { path, content } of this.#under) {
      if (content === null) marks.delete(path);
      else marks.set(path, content);
    }
    return marks;
  });

  /** Reads it. Where that fails what was known stays, and marking says why. */
  async read(): Promise<void> {
    await this.#turn(() => this.#call("session.viewed", { id: this.#id })).catch(() => {});
    this.asked = true;
  }

  /** Marks a file as looked at with this content, or with null not. Where it cannot be kept it is as before. */
  async set(path: string, content: string | null): Promise<void> {
    const mark = { path, content };
    this.#under = [...this.#under, mark];
    try {
      await this.#turn(() => this.#call("session.set_viewed", { id: this.#id, path, content }));
    } finally {
      this.#under = this.#under.filter((other) => other !== mark);
    }
  }

  async #turn(ask: () => Promise<SessionViewed>): Promise<void> {
    const answer = this.#last.then(ask);
    this.#last = answer.catch(() => {});
    this.#kept = new Map(Object.entries((await answer).files));
  }
}
