/**
 * Sends messages. Invariants: a message is in the field, with Claude or queued, never lost; if it cannot be sent it
 * returns to the field; one is sent at a time. A message that Claude returns after a stop comes back into the field,
 * unless it is in use. Attached files are part of the message, as mentions before its text.
 */
import type { HeldText, SessionView } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import type { Conversation } from "../../state/conversation.svelte";
import { Drafts } from "../../state/drafts";
import { type AttachedFile, fileOf, filesIn, withFiles } from "../../state/message-files";
import type { Project } from "../../state/project.svelte";
import { base64, refusal } from "./attachments";

/** The maximum message size, in bytes. */
export const LARGEST = 256 * 1024;

export class Sending {
  text = $state("");
  files = $state.raw<readonly AttachedFile[]>([]);
  /** Pictures of attached images, by their mentions; only of those attached here. */
  pictures = $state.raw<Readonly<Record<string, string>>>({});
  /** The number of files that are being attached. */
  attaching = $state(0);
  busy = $state(false);
  /** Whether the message is too large to be typed into Claude. */
  readonly large: boolean = $derived(
    this.text.length * 3 > LARGEST && new TextEncoder().encode(this.text).length > LARGEST,
  );
  readonly #app: App;
  readonly #project: Project;
  readonly #id: string;
  readonly #drafts: Drafts;
  readonly #conversation: Conversation;
  /** A turn was stopped here, and nothing was sent since. */
  #stopped = false;
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

  #keep(): void {
    this.#typed = true;
    this.#drafts.set(withFiles(this.files, this.text));
  }

  typed(text: string): void {
    this.text = text;
    this.#keep();
  }

  /** Saves the unsent message; the composer closes. */
  leave(): void {
    this.#drafts.leave();
  }

  /** Inserts into the field, before its text. */
  putBack(message: string): void {
    const { files, text } = filesIn(message);
    this.files = [...files, ...this.files];
    this.typed([text, this.text].filter((part) => part !== "").join("\n\n"));
  }

  /** Attaches files one after another. A refused file is reported; the message stays as it is. */
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

  /** Stops Claude's turn, like Esc. */
  async stop(): Promise<void> {
    this.#stopped = true;
    try {
      this.#project.sessions.put(await this.#project.call("session.interrupt", { id: this.#id }));
    } catch (thrown) {
      this.#stopped = false;
      this.#app.toasts.error(thrown);
    }
  }

  /** Puts a returned message back into the field. */
  waits(held: readonly HeldText[]): void {
    const back = held.find((one) => one.state === "returned");
    if (!back || !this.#stopped || !this.empty) return;
    this.#stopped = false;
    void this.edit(back);
  }

  /** Moves a queued message into the field. */
  async edit({ id, text }: HeldText): Promise<void> {
    this.putBack(text);
    try {
      this.#project.sessions.put(await this.#project.call("session.forget", { id: this.#id, text: id }));
    } catch (thrown) {
      this.#app.toasts.error(thrown);
    }
  }

  async send(): Promise<void> {
    await this.#give(async (message) => {
      const [known, since] = [this.#conversation.messages, Date.now()];
      const { delivery } = await this.#project.call("session.send", { id: this.#id, text: message });
      if (delivery === "sent") this.#conversation.sent(message, known, since);
      return true;
    });
  }

  /** Resumes the session with the message. Images are sent once Claude is at its prompt, which shows them. */
  async resume(resume: (prompt: string, sent: () => void) => Promise<boolean>): Promise<void> {
    const images = this.files.some(({ image }) => image);
    await this.#give(async (message) => {
      // With images, the message follows: it stays in the field if the dialog is needed.
      const resumed = await resume(images ? "" : message, images ? () => {} : () => this.#clear());
      if (!resumed) return false;
      if (images) await this.#project.call("session.send", { id: this.#id, text: message });
      return true;
    });
  }

  #clear(): void {
    this.files = [];
    this.typed("");
  }

  /** Empties the field; on a failure, the message returns to it. */
  async #give(give: (message: string) => Promise<boolean>): Promise<void> {
    const message = this.message;
    if (message === "" || this.busy || this.attaching > 0 || this.large) return;
    this.busy = true;
    this.#stopped = false;
    this.#clear();
    try {
      if (!(await give(message))) this.putBack(message);
    } catch (thrown) {
      this.putBack(message);
      this.#app.toasts.error(thrown);
    } finally {
      this.busy = false;
    }
  }
}
