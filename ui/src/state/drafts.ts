/**
 * Unsent messages. Each is saved with its session on disk. Until that succeeds, the browser or window keeps it,
 * so that it survives a crash and a lost connection.
 */
import type { SessionId } from "../generated/api";
import { LatestSaver } from "./latest-saver";
import type { Project } from "./project.svelte";

/** Delay without a change before a text is saved on disk, in milliseconds. */
const SAVE_DELAY_MS = 400;

export class Drafts {
  readonly #project: Pick<Project, "key" | "call">;
  readonly #id: SessionId;
  readonly #saver: LatestSaver<string>;

  constructor(project: Pick<Project, "key" | "call">, id: SessionId) {
    this.#project = project;
    this.#id = id;
    this.#saver = new LatestSaver(async (text) => {
      await project.call("session.set_draft", { id, text });
      if (this.unsaved() === text) localStorage.removeItem(this.#slot);
    });
  }

  /** The text that is not on disk yet; null if there is none. */
  unsaved(): string | null {
    return localStorage.getItem(this.#slot);
  }

  /** The text on disk; empty if it cannot be read. */
  async saved(): Promise<string> {
    try {
      return (await this.#project.call("session.draft", { id: this.#id })).text;
    } catch {
      return "";
    }
  }

  set(text: string): void {
    try {
      localStorage.setItem(this.#slot, text);
    } catch {
      // The browser's storage is full. The text is still in its field, and is saved on disk shortly. An older text must
      // not replace it later.
      localStorage.removeItem(this.#slot);
    }
    // An empty field was sent or cleared. It is saved at once, so that the old text does not return.
    this.#saver.keep(text, text === "" ? 0 : SAVE_DELAY_MS);
  }

  /** Saves the text now, because the composer closes. */
  leave(): void {
    this.#saver.leave();
  }

  get #slot(): string {
    return `draft:${this.#project.key}:${this.#id}`;
  }
}
