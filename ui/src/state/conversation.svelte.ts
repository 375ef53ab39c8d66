/**
 * One session's conversation: recorded messages in order, the message being streamed, and sent messages that are not
 * recorded yet. Recorded messages replace streamed ones.
 */
import type { Message } from "../generated/api";
import { filesIn } from "./message-files";
import { LOADING, type Phase } from "./phase";

/** The text of a message while the model streams it. */
export interface Draft {
  messageId: string;
  /** Indexed by number: pieces can arrive out of order, and the first ones may be missing. */
  pieces: readonly (string | undefined)[];
  /** When the first piece arrived, in milliseconds since the epoch. */
  since: number;
  /** Whether the last piece has arrived. */
  whole: boolean;
}

/** A message that Claude has received but not recorded yet. */
export interface Pending {
  id: number;
  text: string;
  /** When it was sent, in milliseconds since the epoch. */
  since: number;
}

export class Conversation {
  messages = $state.raw<readonly Message[]>([]);
  /** The index of the first loaded message. Earlier messages of a long conversation are loaded on demand. */
  first = $state(0);
  warnings = $state.raw<readonly string[]>([]);
  draft = $state.raw<Draft | null>(null);
  pending = $state.raw<readonly Pending[]>([]);
  phase = $state.raw<Phase>(LOADING);

  /** The streamed text that is not recorded yet; empty if there is none. */
  readonly writing: string = $derived.by(() => {
    const { draft } = this;
    if (!draft) return "";
    const text = inOrder(draft.pieces);
    return text.trim() === "" || textSincePrompt(this.messages).includes(flat(text)) ? "" : text;
  });

  /** The ID of the last draft that a recording replaced; its late pieces are ignored. */
  #replacedDraft: string | null = null;
  /** The index of each loaded message. */
  #places = new Map<string, number>();
  #nextPending = 1;

  /** Replaces the messages from index `first` on. `arrived`: messages that arrived during the request, and so are
   * newer. */
  replace(messages: readonly Message[], arrived: readonly Message[] = [], first: number = 0): void {
    const [oldPlaces, oldFirst] = [this.#places, this.first];
    // Keeps earlier messages if the ranges are adjacent.
    const earlier =
      first > oldFirst && first <= oldFirst + this.messages.length ? this.messages.slice(0, first - oldFirst) : [];
    this.#put([...earlier, ...messages], first - earlier.length);
    // Only messages that are new since the previous load can be recordings of pending messages.
    const added =
      oldPlaces.size > 0
        ? messages.slice(Math.max(0, oldFirst - first)).filter((message) => !oldPlaces.has(message.id))
        : [];
    added.filter((message) => message.role === "user").forEach((message) => this.#recorded(message.content));
    added.forEach((message) => this.#supersede(message, true));
    arrived.forEach((message) => this.upsert(message));
  }

  /** Adds earlier messages, if they still adjoin the loaded ones. */
  precede(messages: readonly Message[], first: number): void {
    if (first + messages.length === this.first) this.#put([...messages, ...this.messages], first);
  }

  upsert(message: Message): void {
    const known = this.#places.get(message.id);
    const { replaces } = message;
    const place = known ?? (replaces === undefined ? undefined : this.#places.get(replaces));
    // Messages before the loaded ones are loaded on demand, so this one is dropped.
    if (
      place === undefined &&
      this.first > 0 &&
      Date.parse(message.timestamp) < Date.parse(this.messages[0]?.timestamp ?? "")
    )
      return;
    if (place === undefined) {
      this.#places.set(message.id, this.messages.length);
      this.messages = [...this.messages, message];
    } else {
      // A complete message replaces its partial one, as in the record.
      if (known === undefined && replaces !== undefined) this.#places.delete(replaces);
      this.#places.set(message.id, place);
      this.messages = this.messages.with(place, message);
    }
    this.#supersede(message, known === undefined);
    if (message.role === "user") this.#recorded(message.content);
    // An answer proves that the message before it was recorded, even in another form. Later messages stay pending.
    else if (known === undefined && message.subagent === undefined && settlesPrompt(message)) {
      this.pending = this.pending.filter(({ since }) => !isAfter(message, since));
    }
  }

  delta(messageId: string, index: number, text: string, last: boolean, now: number = Date.now()): void {
    if (messageId === this.#replacedDraft) return;
    const current = this.draft?.messageId === messageId ? this.draft : null;
    const pieces = Array.from(
      { length: Math.max(current?.pieces.length ?? 0, index + 1) },
      (_, i) => current?.pieces[i],
    );
    // A piece can be delivered twice.
    pieces[index] = text;
    this.draft = { messageId, pieces, since: current?.since ?? now, whole: last || current?.whole === true };
  }

  /**
   * Shows a sent text until it is recorded. `known`: the recorded messages at the time of sending, since the
   * recording can arrive before the command's answer. Slash commands are not shown, since they may never be
   * recorded.
   */
  sent(text: string, known: readonly Message[] = this.messages, since: number = Date.now()): void {
    if (text.startsWith("/")) return;
    const before = new Set(known.map((message) => message.id));
    if (this.messages.some((m) => m.role === "user" && !before.has(m.id) && sameMessage(m.content, text))) return;
    this.pending = [...this.pending, { id: this.#nextPending++, text, since }];
  }

  /** Drops everything that is not recorded, because the session has ended. */
  settle(): void {
    this.draft = null;
    this.pending = [];
  }

  /** Drops the pending messages, because the events that confirm them may have been missed. */
  missed(): void {
    this.pending = [];
  }

  #supersede(message: Message, isNew: boolean): void {
    if (!this.draft || !supersedes(message, isNew, this.draft)) return;
    this.#replacedDraft = this.draft.messageId;
    this.draft = null;
  }

  #put(messages: readonly Message[], first: number): void {
    this.#places = new Map(messages.map((message, place) => [message.id, place]));
    [this.messages, this.first] = [messages, first];
  }

  #recorded(content: string): void {
    const found = this.pending.find((p) => sameMessage(p.text, content));
    if (found) this.pending = this.pending.filter((p) => p !== found);
  }
}

/** Whether this message shows that the prompt before it was answered, or will get no answer. */
function settlesPrompt(message: Message): boolean {
  return message.role === "assistant" || message.kind === "interrupted" || message.kind === "api_error";
}

/** If this many pieces arrived without the first one, it was sent before the subscription, and will not arrive. */
const MISSED_AFTER = 4;

/** The contiguous pieces from the first one, or from the first received one if the beginning was never received. */
function inOrder(pieces: readonly (string | undefined)[]): string {
  const received = pieces.filter((piece) => piece !== undefined);
  const from = pieces.findIndex((piece) => piece !== undefined);
  if (from > 0 && received.length < MISSED_AFTER) return "";
  const missing = pieces.indexOf(undefined, from);
  return pieces.slice(from, missing < 0 ? undefined : missing).join("");
}

/**
 * Whether this recorded message ends a draft: it is the draft's recording, interrupted it, or followed it. An
 * update with tool results proves nothing. A recording can be so late that the next draft has already started.
 */
function supersedes(message: Message, isNew: boolean, draft: Draft): boolean {
  if (message.subagent !== undefined || message.id === draft.messageId) return false;
  if (message.kind === "interrupted" || message.kind === "api_error" || message.kind === "compaction") return isNew;
  const text = flat(inOrder(draft.pieces));
  if (message.role === "assistant" && text !== "" && flat(message.content).includes(text)) return true;
  return (
    isNew && draft.whole && message.role !== "system" && flat(message.content) !== "" && isAfter(message, draft.since)
  );
}

function isAfter(message: Message, moment: number): boolean {
  return Date.parse(message.timestamp) > moment;
}

/**
 * The agent's recorded text since the user's last message. A draft is matched by its text: Claude's streamed and
 * recorded messages have different IDs, and the last piece may follow the recording.
 */
function textSincePrompt(messages: readonly Message[]): string {
  const from = messages.findLastIndex((message) => message.role === "user" && message.subagent === undefined);
  const since = messages.slice(from + 1).filter((message) => message.subagent === undefined);
  return flat(since.map((message) => message.content).join(" "));
}

/** Whether two texts are one message. Attached images are mentions in the sent text, and placeholders in its
 * recording. */
function sameMessage(one: string, other: string): boolean {
  const words = (message: string) =>
    flat(filesIn(message).text.replace(/\[Image #\d+\]|\[image: image\/\w+, [\d,]+ KB\]/g, ""));
  return words(one) === words(other);
}

/** Streamed and recorded texts differ in white space. */
function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
