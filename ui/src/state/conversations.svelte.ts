/** Conversations that somebody looked at: recorded messages in order, and what is being written now. */
import type { Message, ProjectKey, SessionId } from "../generated/api";
import { asCallError, type Host } from "../platform";
import { LOADING, READY, type Phase } from "./phase";

/** The text of a message while the model writes it, block by block. */
export interface Draft {
  messageId: string;
  blocks: string[];
}

export class Conversation {
  messages = $state.raw<Message[]>([]);
  warnings = $state.raw<string[]>([]);
  draft = $state.raw<Draft | null>(null);
  phase = $state.raw<Phase>(LOADING);

  upsert(message: Message): void {
    const at = this.messages.findLastIndex((m) => m.id === message.id);
    this.messages = at < 0 ? [...this.messages, message] : this.messages.with(at, message);
    if (this.draft?.messageId === message.id) this.draft = null;
  }

  delta(messageId: string, index: number, text: string): void {
    const blocks = this.draft?.messageId === messageId ? [...this.draft.blocks] : [];
    blocks[index] = (blocks[index] ?? "") + text;
    this.draft = { messageId, blocks };
  }
}

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
    // Messages that arrive while the answer is on its way are newer than it.
    const before = new Set(conversation.messages);
    try {
      const { messages, warnings } = await this.#host.call("session.transcript", { id }, this.#key);
      const arrived = conversation.messages.filter((message) => !before.has(message));
      conversation.messages = messages;
      conversation.warnings = warnings ?? [];
      arrived.forEach((message) => conversation.upsert(message));
      conversation.phase = READY;
    } catch (thrown) {
      conversation.phase = { state: "failed", error: asCallError(thrown) };
    }
  }

  reload(): void {
    for (const [id, conversation] of this.#open) {
      conversation.draft = null;
      void this.load(id);
    }
  }

  forget(id: SessionId): void {
    this.#open.delete(id);
  }
}
