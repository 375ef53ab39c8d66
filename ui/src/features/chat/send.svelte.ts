/**
 * Sends messages. Invariants: an unsent message is in the field or queued and never lost; messages are sent one
 * at a time and in order. If sending fails, the message returns to the field with those after it. A message that
 * Claude returns after a stop comes back into the field, unless the field is in use. Attached files are mentions
 * before a message's text.
 */
import type { HeldText, SessionId, SessionView } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import type { Conversation } from "../../state/conversation.svelte";
import { Drafts } from "../../state/drafts";
import { type AttachedFile, fileOf, filesIn, withFiles } from "../../state/message-files";
import type { Project } from "../../state/project.svelte";
import { base64, refusal } from "./attachments";

/** The maximum size of a message's text, in bytes. */
const MAX_BYTES = 256 * 1024;

/** Senders that are still sending, by project and session, so that a reopened composer continues with them. */
const UNDER_WAY = new WeakMap<Project, Map<SessionId, Sending>>();

/** The sender of a session's messages: one that is still sending, or else a new one. */
export function sendingOf(app: App, project: Project, session: SessionView, conversation: Conversation): Sending {
  const found = UNDER_WAY.get(project)?.get(session.id);
  found?.continueIn(conversation);
  return found ?? new Sending(app, project, session, conversation);
}

type Deliver = (message: string) => Promise<boolean>;

export class Sending {
  text = $state("");
  files = $state.raw<readonly AttachedFile[]>([]);
  /** Newly attached images as data URLs, by their mentions. */
  pictures = $state.raw<Readonly<Record<string, string>>>({});
  /** The number of files that are being attached. */
  attaching = $state(0);
  busy = $state(false);
  /** Messages that wait until the previous one has been sent. */
  behind = $state.raw<readonly string[]>([]);
  /** Whether the text is too large for Claude's input box. */
  readonly large: boolean = $derived(new TextEncoder().encode(this.text).length > MAX_BYTES);
  readonly #app: App;
  readonly #project: Project;
  readonly #id: string;
  readonly #drafts: Drafts;
  #conversation: Conversation;
  /** Whether the user stopped a turn and has sent nothing since. */
  #stopped = false;
  /** Whether the message has changed, so that the stored draft is outdated. */
  #typed = false;

  constructor(app: App, project: Project, session: SessionView, conversation: Conversation) {
    this.#app = app;
    this.#project = project;
    this.#id = session.id;
    this.#conversation = conversation;
    this.#drafts = new Drafts(project, session.id);
    const unsaved = this.#drafts.unsaved();
    if (unsaved !== null) this.#show(unsaved);
    else void this.#load();
  }

  get empty(): boolean {
    return this.text.trim() === "" && this.files.length === 0;
  }

  /** The whole message: the files, then the text. */
  get message(): string {
    return withFiles(this.files, this.text.trim());
  }

  async #load(): Promise<void> {
    const saved = await this.#drafts.saved();
    if (!this.#typed && this.empty) this.#show(saved);
  }

  #show(message: string): void {
    const { files, text } = filesIn(message);
    [this.files, this.text] = [files, text];
  }

  /** Stores the unsent messages as the session's draft. */
  #keep(): void {
    this.#typed = true;
    this.#drafts.set(joined([...this.behind, withFiles(this.files, this.text)]));
  }

  /** Shows sent messages in this conversation from now on, because the composer was opened again. */
  continueIn(conversation: Conversation): void {
    this.#conversation = conversation;
  }

  typed(text: string): void {
    this.text = text;
    this.#keep();
  }

  /** Saves the draft at once, because the composer closes. */
  leave(): void {
    this.#drafts.leave();
  }

  /** Inserts a message before the text in the field. */
  putBack(message: string): void {
    const { files, text } = filesIn(message);
    this.files = [...files, ...this.files];
    this.typed(joined([text, this.text]));
  }

  /** Attaches files one after another. A refused file is reported and does not change the message. */
  async attach(files: readonly File[]): Promise<void> {
    for (const file of files) {
      const refused = refusal(file);
      if (refused) {
        this.#app.toasts.error(new Error(refused));
        continue;
      }
      this.attaching++;
      try {
        const data = await base64(file);
        const name = file.name || `pasted.${file.type.split("/")[1] ?? "bin"}`;
        const { mention, path } = await this.#project.call("session.attach", { id: this.#id, name, data });
        const attached = fileOf(mention, path);
        if (attached.image) this.pictures = { ...this.pictures, [mention]: `data:${file.type};base64,${data}` };
        if (!this.files.some((one) => one.mention === mention)) this.files = [...this.files, attached];
        this.#keep();
      } catch (thrown) {
        this.#app.toasts.error(thrown);
      } finally {
        this.attaching--;
      }
    }
  }

  /** Turns a text that is too large for the input box into a file that Claude reads. */
  async attachText(): Promise<void> {
    const text = this.text;
    const before = this.files.length;
    await this.attach([new File([text], "message.txt", { type: "text/plain" })]);
    if (this.files.length > before && this.text === text) this.typed("");
  }

  detach(mention: string): void {
    this.files = this.files.filter((file) => file.mention !== mention);
    this.#keep();
  }

  /** Interrupts Claude's turn, like Esc. */
  async stop(): Promise<void> {
    this.#stopped = true;
    try {
      this.#project.sessions.put(await this.#project.call("session.interrupt", { id: this.#id }));
    } catch (thrown) {
      this.#stopped = false;
      this.#app.toasts.error(thrown);
    }
  }

  /** After a stop, puts the message that Claude returned back into the empty field. */
  waits(held: readonly HeldText[]): void {
    const back = held.find((one) => one.state === "returned");
    if (!back || !this.#stopped || !this.empty) return;
    this.#stopped = false;
    void this.edit(back);
  }

  /** Moves a message from the session's prompt queue into the field. */
  async edit({ id, text }: HeldText): Promise<void> {
    this.putBack(text);
    try {
      this.#project.sessions.put(await this.#project.call("session.forget", { id: this.#id, text: id }));
    } catch (thrown) {
      this.#app.toasts.error(thrown);
    }
  }

  async send(): Promise<void> {
    await this.#sendField((message) => this.#send(message));
  }

  async #send(message: string): Promise<boolean> {
    const [known, since] = [this.#conversation.messages, Date.now()];
    const { delivery } = await this.#project.call("session.send", { id: this.#id, text: message });
    if (delivery === "sent") this.#conversation.sent(message, known, since);
    return true;
  }

  /** Resumes the session with the message. A message with images is sent separately, at Claude's prompt, which
   * shows them. */
  async resume(resume: (prompt: string, sent: () => void) => Promise<boolean>): Promise<void> {
    const images = this.files.some(({ image }) => image);
    await this.#sendField(async (message) => {
      // With images, the message is sent after the resume. It returns to the field if a dialog is needed first.
      const resumed = await resume(images ? "" : message, images ? () => {} : () => this.#sent(message));
      if (!resumed) return false;
      if (images) await this.#project.call("session.send", { id: this.#id, text: message });
      return true;
    });
  }

  /** Removes the message that was sent with the resume from the field. Later messages stay. */
  #sent(message: string): void {
    if (!this.message.startsWith(message)) return;
    this.#show(this.message.slice(message.length).trimStart());
    this.#keep();
  }

  #clear(): void {
    this.files = [];
    this.typed("");
  }

  /** Sends the message in the field. During another send, it waits and is sent next. */
  async #sendField(first: Deliver): Promise<void> {
    const message = this.message;
    if (message === "" || this.attaching > 0 || this.large) return;
    this.#stopped = false;
    if (this.busy) {
      this.behind = [...this.behind, message];
      this.#clear();
      return;
    }
    this.#clear();
    this.busy = true;
    const all = UNDER_WAY.get(this.#project) ?? new Map<SessionId, Sending>();
    UNDER_WAY.set(this.#project, all.set(this.#id, this));
    try {
      let delivered = await this.#attempt(message, first);
      for (let next = this.behind[0]; delivered && next !== undefined; next = this.behind[0]) {
        this.behind = this.behind.slice(1);
        this.#keep();
        delivered = await this.#attempt(next, (text) => this.#send(text));
      }
    } finally {
      all.delete(this.#id);
      this.busy = false;
    }
  }

  /** Sends a message. On a failure, it and the waiting ones return to the field, in their order. */
  async #attempt(message: string, deliver: Deliver): Promise<boolean> {
    try {
      if (await deliver(message)) return true;
    } catch (thrown) {
      this.#app.toasts.error(thrown);
    }
    const back = [message, ...this.behind];
    this.behind = [];
    back.reverse().forEach((one) => this.putBack(one));
    return false;
  }
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
