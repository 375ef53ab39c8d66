/** Claude's own conversations outside sessions. Only the answer to the last search is shown. */
import type { Conversation } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";
import type { Project } from "../../state/project.svelte";

const SEARCH_DELAY_MS = 250;

export class Elsewhere {
  list = $state.raw<readonly Conversation[]>([]);
  warnings = $state.raw<readonly string[]>([]);
  error = $state.raw<CallError | null>(null);
  #round = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  /** Loads the conversations that contain the text, or all for an empty text. */
  search(text: string): void {
    clearTimeout(this.#timer);
    const round = ++this.#round;
    this.#timer = setTimeout(() => void this.#load(text.trim(), round), text.trim() === "" ? 0 : SEARCH_DELAY_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#round++;
  }

  async #load(text: string, round: number): Promise<void> {
    try {
      const { conversations, warnings = [] } = await this.#project.call("session.conversations", {
        text: text || null,
      });
      if (round !== this.#round) return;
      this.list = conversations;
      this.warnings = warnings;
      this.error = null;
    } catch (thrown) {
      if (round !== this.#round) return;
      this.error = asCallError(thrown);
    }
  }
}
