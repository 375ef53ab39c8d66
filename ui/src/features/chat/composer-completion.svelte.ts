/**
 * The completion list while the user types a command or a file name. Invariant: it is open only for the token at
 * the caret, and not once the user has closed it for this token.
 */
import type { Completions, SessionView } from "../../generated/api";
import type { Project } from "../../state/project.svelte";
import { type Choice, choicesFor, put, type Token, tokenAt } from "./completion";

/** The time after which completions are reloaded, in milliseconds. */
const CACHE_MS = 10_000;

export class ComposerCompletion {
  /** The index of the selected choice. */
  at = $state(0);
  #token = $state.raw<Token | null>(null);
  #known = $state.raw<Completions | null>(null);
  /** The time of the last load, as in `performance.now`. */
  #loadedAt = -Infinity;
  /** The position of the token for which the user closed the list; -1 for none. */
  #closed = -1;
  readonly #project: Project;
  readonly #session: SessionView["id"];

  readonly choices: readonly Choice[] = $derived(
    this.#token && this.#known ? choicesFor(this.#token, this.#known) : [],
  );

  constructor(project: Project, session: SessionView) {
    this.#project = project;
    this.#session = session.id;
  }

  get open(): boolean {
    return this.choices.length > 0;
  }

  /** Updates the list after the text or the caret changed. */
  update(text: string, caret: number, now: number = performance.now()): void {
    const token = tokenAt(text, caret);
    if (token?.from !== this.#closed) this.#closed = -1;
    if (token?.from !== this.#token?.from || token?.query !== this.#token?.query) this.at = 0;
    this.#token = token && token.from !== this.#closed ? token : null;
    if (token && now - this.#loadedAt > CACHE_MS) void this.#load(now);
  }

  move(by: number): void {
    this.at = (this.at + by + this.choices.length) % this.choices.length;
  }

  /** Closes the list until another token starts. */
  close(): void {
    this.#closed = this.#token?.from ?? -1;
    this.#token = null;
  }

  /** Whether the selected choice is already typed in full. */
  get complete(): boolean {
    const token = this.#token;
    return token !== null && this.choices[this.at]?.text.slice(1) === token.query;
  }

  /** Closes the list, and returns the text with a choice inserted; null if there is none. */
  accept(text: string, at: number = this.at): { text: string; caret: number } | null {
    const [token, choice] = [this.#token, this.choices[at]];
    this.#token = null;
    return token && choice ? put(text, token, choice) : null;
  }

  async #load(now: number): Promise<void> {
    this.#loadedAt = now;
    try {
      this.#known = await this.#project.call("session.completions", { id: this.#session });
    } catch {
      // Typing works without completions; the next update with a token retries the load.
      this.#loadedAt = -Infinity;
    }
  }
}
