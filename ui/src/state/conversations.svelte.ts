/** The conversations of one project that somebody looked at. */
import type { ProjectKey, SessionId } from "../generated/api";
import { asCallError, type Host } from "../platform";
import { Conversation } from "./conversation.svelte";
import { LOADING, READY } from "./phase";

export type { Conversation } from "./conversation.svelte";

/** How long a message may be behind the record that counts it, in milliseconds. */
const BEHIND = 600;

export class Conversations {
  readonly #host: Host;
  readonly #key: ProjectKey;
  readonly #open = new Map<SessionId, Conversation>();
  /** How many messages a session counts more than can be read. */
  readonly #unreadable = new Map<SessionId, number>();
  readonly #checks = new Map<SessionId, ReturnType<typeof setTimeout>>();

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

  /** A session's record counts more messages than were told, as when it began before anybody listened: reads them. */
  counts(id: SessionId, count: number): void {
    clearTimeout(this.#checks.get(id));
    if (!this.#misses(id, count)) return;
    this.#checks.set(
      id,
      setTimeout(() => void this.#catchUp(id, count), BEHIND),
    );
  }

  #misses(id: SessionId, count: number): boolean {
    const conversation = this.#open.get(id);
    if (conversation?.phase.state !== "ready") return false;
    return count - conversation.messages.length > (this.#unreadable.get(id) ?? 0);
  }

  async #catchUp(id: SessionId, count: number): Promise<void> {
    if (!this.#misses(id, count)) return;
    await this.load(id);
    const read = this.#open.get(id)?.messages.length ?? count;
    this.#unreadable.set(id, Math.max(0, count - read));
  }

  reload(): void {
    for (const [id, conversation] of this.#open) {
      conversation.missed();
      void this.load(id);
    }
  }

  forget(id: SessionId): void {
    clearTimeout(this.#checks.get(id));
    this.#open.delete(id);
  }
}
