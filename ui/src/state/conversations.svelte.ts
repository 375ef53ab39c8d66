/** The conversations of one project that somebody looked at. */
import type { Message, ProjectKey, SessionId } from "../generated/api";
import { asCallError, type Host } from "../platform";
import { Conversation } from "./conversation.svelte";
import { LOADING, READY } from "./phase";
import { PAGE } from "./reading.svelte";

export type { Conversation } from "./conversation.svelte";

/** A conversation of more messages than this is read from its end on. */
const LONG = 2 * PAGE;
/** How long a message may be behind the record that counts it, in milliseconds. */
const BEHIND = 600;

export class Conversations {
  readonly #host: Host;
  readonly #key: ProjectKey;
  readonly #open = new Map<SessionId, Conversation>();
  /** How many messages a session counts more than can be read. */
  readonly #unreadable = new Map<SessionId, number>();
  readonly #checks = new Map<SessionId, ReturnType<typeof setTimeout>>();
  /** How many messages a session is said to have. */
  readonly #count: (id: SessionId) => number;
  /** Those of which everything is wanted. */
  readonly #whole = new Set<SessionId>();
  /** Those of which an earlier part is being read. */
  readonly #earlier = new Set<SessionId>();

  constructor(host: Host, key: ProjectKey, count: (id: SessionId) => number = () => 0) {
    this.#host = host;
    this.#key = key;
    this.#count = count;
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
      const { messages, warnings, first } = await this.#read(id);
      const arrived = conversation.messages.filter((message) => !before.has(message));
      conversation.replace(messages, arrived, first);
      conversation.warnings = warnings;
      conversation.phase = READY;
    } catch (thrown) {
      conversation.phase = { state: "failed", error: asCallError(thrown) };
    }
  }

  /** The whole, or the end of a long one. */
  async #read(id: SessionId): Promise<{ messages: readonly Message[]; warnings: readonly string[]; first: number }> {
    if (!this.#whole.has(id) && this.#count(id) > LONG) {
      const { messages, first, warnings } = await this.#host.call("session.page", { id, limit: PAGE }, this.#key);
      return { messages, warnings, first };
    }
    const { messages, warnings } = await this.#host.call("session.transcript", { id }, this.#key);
    return { messages, warnings: warnings ?? [], first: 0 };
  }

  /** Reads what is before what is here. Where it cannot be read, whoever gets there again asks again. */
  async earlier(id: SessionId): Promise<void> {
    const conversation = this.#open.get(id);
    if (!conversation || conversation.first === 0 || this.#earlier.has(id)) return;
    this.#earlier.add(id);
    try {
      const page = await this.#host.call("session.page", { id, before: conversation.first, limit: Math.min(PAGE, conversation.first) }, this.#key);
      conversation.precede(page.messages, page.first);
    } catch {
      // The connection says of itself when it is lost.
    } finally {
      this.#earlier.delete(id);
    }
  }

  /** Reads everything: a message is wanted that is in no part that is here. */
  async whole(id: SessionId): Promise<void> {
    this.#whole.add(id);
    await this.load(id);
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
