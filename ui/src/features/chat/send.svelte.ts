/**
 * Sends messages. Invariants: a message is in the field, with Claude or queued, never lost; if it cannot be sent it
 * returns to the field; one is sent at a time. A message that Claude returns after a stop comes back into the field,
 * unless it is in use.
 */
import type { HeldText, SessionView } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import type { Conversation } from "../../state/conversation.svelte";
import { Drafts } from "../../state/drafts";
import type { Project } from "../../state/project.svelte";

/** The maximum message size, in bytes. */
const LARGEST = 256 * 1024;

export class Sending {
  text = $state("");
  busy = $state(false);
  readonly #app: App;
  readonly #project: Project;
  readonly #id: string;
  readonly #drafts: Drafts;
  readonly #conversation: Conversation;
  /** A turn was stopped here, and nothing was sent since. */
  #stopped = false;

  constructor(app: App, project: Project, session: SessionView, conversation: Conversation) {
    this.#app = app;
    this.#project = project;
    this.#id = session.id;
    this.#conversation = conversation;
    this.#drafts = new Drafts(project.key);
    this.text = this.#drafts.get(session.id);
  }

  get empty(): boolean {
    return this.text.trim() === "";
  }

  typed(text: string): void {
    this.text = text;
    this.#drafts.set(this.#id, text);
  }

  /** Inserts into the field, before its text. */
  putBack(text: string): void {
    this.typed(this.text === "" ? text : `${text}\n\n${this.text}`);
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
    const text = this.text.trim();
    if (text === "" || this.busy) return;
    if (new TextEncoder().encode(text).length > LARGEST) {
      this.#app.toasts.error(
        new Error("The message is larger than 256 KiB. Save it to a file and mention the file instead."),
      );
      return;
    }
    this.busy = true;
    this.#stopped = false;
    this.typed("");
    const [known, since] = [this.#conversation.messages, Date.now()];
    try {
      const { delivery } = await this.#project.call("session.send", { id: this.#id, text });
      if (delivery === "sent") this.#conversation.sent(text, known, since);
    } catch (thrown) {
      this.putBack(text);
      this.#app.toasts.error(thrown);
    } finally {
      this.busy = false;
    }
  }
}
