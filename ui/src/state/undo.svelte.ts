/** Reversible changes of a project, newest last. Each is offered in a toast and with Ctrl+Z. */
import type { Toasts } from "./toasts.svelte";

export interface Undoable {
  /** The change: `BC-112 closed`. */
  text: string;
  /** Undoes the change; rejects with the reason if that fails. */
  run: () => Promise<unknown>;
}

const MAX_CHANGES = 50;
/** The toasts of changes: only the newest is shown. */
const GROUP = "undo";

export class UndoStack {
  #done = $state.raw<readonly Undoable[]>([]);
  readonly #toasts: Toasts;

  constructor(toasts: Toasts) {
    this.#toasts = toasts;
  }

  /** The change that `undo` reverts by default. */
  get last(): Undoable | undefined {
    return this.#done.at(-1);
  }

  /** Reports a change and offers to undo it. */
  offer(change: Undoable): void {
    this.#done = [...this.#done, change].slice(-MAX_CHANGES);
    this.#toasts.done(change.text, { label: "Undo", run: () => void this.undo(change) }, GROUP);
  }

  /** Undoes a change, by default the newest. */
  async undo(change: Undoable | undefined = this.last): Promise<void> {
    if (!change || !this.#done.includes(change)) return;
    this.#done = this.#done.filter((other) => other !== change);
    this.#toasts.clear(GROUP);
    try {
      await change.run();
      this.#toasts.done(`Undone: ${change.text}`);
    } catch (thrown) {
      this.#toasts.error(thrown);
    }
  }
}
