/** The conversations of one project that were opened. */
import type { Message, ProjectKey, SessionId } from "../generated/api";
import { asCallError, type Host } from "../platform";
import { Conversation } from "./conversation.svelte";
import { LOADING, READY } from "./phase";
import { PAGE } from "./reading.svelte";

export type { Conversation } from "./conversation.svelte";

/** Longer conversations are loaded from their end. */
const LONG = 2 * PAGE;
/** How far a message event can lag behind the session record, in milliseconds. */
const BEHIND = 600;

export class Conversations {
  readonly #host: Host;
  readonly #key: ProjectKey;
  readonly #open = new Map<SessionId, Conversation>();
  /** The number of recorded messages that cannot be read, per session. */
  readonly #unreadable = new Map<SessionId, number>();
  readonly #checks = new Map<SessionId, ReturnType<typeof setTimeout>>();
  /** The number of messages in a session's record. */
  readonly #count: (id: SessionId) => number;
  /** Conversations that are loaded completely. */
  readonly #whole = new Set<SessionId>();
  /** Conversations that are loading an earlier page. */
  readonly #earlier = new Set<SessionId>();

  constructor(host: Host, key: ProjectKey, count: (id: SessionId) => number = () => 0) {
    this.#host = host;
    this.#key = key;
    this.#count = count;
  }

  /** The conversation; loads it on first use. */
  of(id: SessionId): Conversation {
    let conversation = this.#open.get(id);
    if (!conversation) {
      conversation = new Conversation();
      this.#open.set(id, conversation);
      void this.load(id);
    }
    return conversation;
  }

  /** The conversation if it was opened; events for others are ignored. */
  known(id: SessionId): Conversation | undefined {
    return this.#open.get(id);
  }

  async load(id: SessionId): Promise<void> {
    const conversation = this.#open.get(id);
    if (!conversation) return;
    if (conversation.phase.state === "failed") conversation.phase = LOADING;
    // Messages that arrive during the request are newer than its answer.
    const before = new Set(conversation.messages);
    try {
      const { messages, warnings, first } = await this.#read(id);
      const arrived = conversation.messages.filter((message) => !before.has(message));
      conversation.replace(messages, arrived, first);
      conversation.warnings = warnings;
      conversation.phase = READY;
    } catch (thrown) {
      conversation.phase = { state: "failed", error: asCallError(thrown) };
    }
  }

  /** Loads the whole conversation, or the end of a long one. */
  async #read(id: SessionId): Promise<{ messages: readonly Message[]; warnings: readonly string[]; first: number }> {
    if (!this.#whole.has(id) && this.#count(id) > LONG) {
      const { messages, first, warnings } = await this.#host.call("session.page", { id, limit: PAGE }, this.#key);
      return { messages, warnings, first };
    }
    const { messages, warnings } = await this.#host.call("session.transcript", { id }, this.#key);
    return { messages, warnings: warnings ?? [], first: 0 };
  }

  /** Loads the previous page. On failure, scrolling up again retries. */
  async earlier(id: SessionId): Promise<void> {
    const conversation = this.#open.get(id);
    if (!conversation || conversation.first === 0 || this.#earlier.has(id)) return;
    this.#earlier.add(id);
    try {
      const page = await this.#host.call(
        "session.page",
        { id, before: conversation.first, limit: Math.min(PAGE, conversation.first) },
        this.#key,
      );
      conversation.precede(page.messages, page.first);
    } catch {
      // The connection banner already reports this.
    } finally {
      this.#earlier.delete(id);
    }
  }

  /** Loads everything, to show a message that is not loaded. */
  async whole(id: SessionId): Promise<void> {
    this.#whole.add(id);
    await this.load(id);
  }

  /** Loads the conversation again if the session record counts more messages than were received. */
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
    return count - conversation.first - conversation.messages.length > (this.#unreadable.get(id) ?? 0);
  }

  async #catchUp(id: SessionId, count: number): Promise<void> {
    if (!this.#misses(id, count)) return;
    await this.load(id);
    const conversation = this.#open.get(id);
    const read = conversation ? conversation.first + conversation.messages.length : count;
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
    this.#whole.delete(id);
    this.#open.delete(id);
  }
}
