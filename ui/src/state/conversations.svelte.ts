/** The conversations of one project that somebody looked at. */
import type { ProjectKey, SessionId } from "../generated/api";
import { asCallError, type Host } from "../platform";
import { Conversation } from "./conversation.svelte";
import { LOADING, READY } from "./phase";

export type { Conversation } from "./conversation.svelte";

export class Conversations {
  readonly #host: Host;
  readonly #key: ProjectKey;
  readonly #open = new Map<SessionId, Conversation>();

  constructor(host: Host, key: ProjectKey) {
    this.#host = host;
    this.#key = key;
  }

  /** The conversation, loading it when it is looked at for the first time. */
  of(id: SessionId): Conversation {
    let conversation = this.#open.get(id);
    if (!conversation) {
      conversation = new Conversation();
      this.#open.set(id, conversation);
      void this.load(id);
    }
    return conversation;
  }

  /** The conversation if somebody looked at it: events for others need not be kept. */
  known(id: SessionId): Conversation | undefined {
    return this.#open.get(id);
  }

  async load(id: SessionId): Promise<void> {
    const conversation = this.#open.get(id);
    if (!conversation) return;
    if (conversation.phase.state === "failed") conversation.phase = LOADING;
    // Messages that arrive while the answer is on its way are newer than it.
    const before = new Set(conversation.messages);
    try {
      const { messages, warnings } = await this.#host.call("session.transcript", { id }, this.#key);
      const arrived = conversation.messages.filter((message) => !before.has(message));
      conversation.replace(messages, arrived);
      conversation.warnings = warnings ?? [];
      conversation.phase = READY;
    } catch (thrown) {
      conversation.phase = { state: "failed", error: asCallError(thrown) };
    }
  }

  reload(): void {
    for (const [id, conversation] of this.#open) {
      conversation.settle();
      void this.load(id);
    }
  }

  forget(id: SessionId): void {
    this.#open.delete(id);
  }
}
