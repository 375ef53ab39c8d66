/** The conversations of one project that were opened in this window. */
import type { ProjectKey, SessionId } from "../generated/api";
import { asCallError, type Host } from "../platform";
import { Conversation } from "./conversation.svelte";
import { LOADING, READY } from "./phase";
import { PAGE } from "./reading.svelte";

export type { Conversation } from "./conversation.svelte";

/** Conversations with more messages than this are loaded in pages, from their end. */
const MAX_WHOLE = 2 * PAGE;
/** How far a message event can lag behind the session record, in milliseconds. */
const EVENT_LAG_MS = 600;

export class Conversations {
  readonly #host: Host;
  readonly #key: ProjectKey;
  readonly #open = new Map<SessionId, Conversation>();
  /** The number of recorded messages that cannot be read, per session. */
  readonly #unreadable = new Map<SessionId, number>();
  readonly #checks = new Map<SessionId, ReturnType<typeof setTimeout>>();
  /** Returns the number of messages in a session's record. */
  readonly #count: (id: SessionId) => number;
  /** The loads of earlier pages that are running. */
  readonly #earlier = new Map<SessionId, Promise<void>>();

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

  /** The conversation if it was opened, else undefined. Callers use it to ignore events of unopened
   * conversations. */
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
      // A long conversation is loaded from its end. The engine shortens long texts.
      const limit = this.#count(id) > MAX_WHOLE ? PAGE : MAX_WHOLE;
      const { messages, warnings = [], first } = await this.#host.call("session.page", { id, limit }, this.#key);
      const arrived = conversation.messages.filter((message) => !before.has(message));
      conversation.replace(messages, arrived, first);
      conversation.warnings = warnings;
      conversation.phase = READY;
    } catch (thrown) {
      conversation.phase = { state: "failed", error: asCallError(thrown) };
    }
  }

  /** Loads the previous page. On failure, scrolling up again retries. */
  earlier(id: SessionId): Promise<void> {
    const loading = this.#earlier.get(id) ?? this.#loadEarlier(id).finally(() => this.#earlier.delete(id));
    this.#earlier.set(id, loading);
    return loading;
  }

  async #loadEarlier(id: SessionId): Promise<void> {
    const conversation = this.#open.get(id);
    if (!conversation || conversation.first === 0) return;
    try {
      const page = await this.#host.call(
        "session.page",
        { id, before: conversation.first, limit: Math.min(PAGE, conversation.first) },
        this.#key,
      );
      conversation.precede(page.messages, page.first);
    } catch {
      // The banner reports a lost connection. Other errors are ignored.
    }
  }

  /** Loads earlier pages until this message is loaded. */
  async reach(id: SessionId, message: string): Promise<void> {
    const conversation = this.#open.get(id);
    while (conversation && conversation.first > 0 && !conversation.messages.some((one) => one.id === message)) {
      const before = conversation.first;
      await this.earlier(id);
      // Nothing was loaded, for example because the connection was lost; do not loop forever.
      if (conversation.first === before) return;
    }
  }

  /** Notes the number of messages in the session's record. If more were recorded than received, waits briefly, then
   * loads the conversation again if messages are still missing. */
  noteCount(id: SessionId, count: number): void {
    clearTimeout(this.#checks.get(id));
    if (!this.#misses(id, count)) return;
    this.#checks.set(
      id,
      setTimeout(() => void this.#catchUp(id, count), EVENT_LAG_MS),
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
    this.#open.delete(id);
  }
}
