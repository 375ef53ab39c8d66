/**
 * Sending what was typed. Invariants: a text is in the field, with claude, or held, never nowhere: when it
 * cannot be sent it is back in the field; one text is on its way at a time.
 */
import type { SessionView } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import type { Conversation } from "../../state/conversation.svelte";
import { Drafts } from "../../state/drafts";
import type { Project } from "../../state/project.svelte";

/** What a session takes at once, in bytes. */
const LARGEST = 256 * 1024;

export class Sending {
  text = $state("");
  busy = $state(false);
  readonly #app: App;
  readonly #project: Project;
  readonly #id: string;
  readonly #drafts: Drafts;
  readonly #conversation: Conversation;

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

  /** Into the field, before what is there. */
  putBack(text: string): void {
    this.typed(this.text === "" ? text : `${text}\n\n${this.text}`);
  }

  async send(): Promise<void> {
    const text = this.text.trim();
    if (text === "" || this.busy) return;
    if (new TextEncoder().encode(text).length > LARGEST) {
      this.#app.toasts.error(new Error("The text is larger than 256 KiB. Put it into a file and name the file."));
      return;
    }
    this.busy = true;
    this.typed("");
    try {
      const { delivery } = await this.#project.call("session.send", { id: this.#id, text });
      if (delivery === "sent") this.#conversation.sent(text);
    } catch (thrown) {
      this.putBack(text);
      this.#app.toasts.error(thrown);
    } finally {
      this.busy = false;
    }
  }
}
