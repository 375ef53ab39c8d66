/** A start that the user requested while its preview was being updated. It happens once the preview is current. */
import { untrack } from "svelte";

export class DelayedStart {
  waiting = $state(false);
  /** The choices when the start was requested. */
  #choices = "";
  readonly #isChecking: () => boolean;
  readonly #chosen: () => unknown;

  /**
   * Must be called while a component is created. `chosen` gives the user's choices as JSON values; if they change, the
   * start does not happen. `start` is called when the preview is current.
   */
  constructor(isChecking: () => boolean, chosen: () => unknown, start: () => void) {
    this.#isChecking = isChecking;
    this.#chosen = chosen;
    $effect(() => {
      if (!this.waiting) return;
      const same = JSON.stringify(chosen()) === this.#choices;
      if (same && isChecking()) return;
      this.waiting = false;
      if (same) untrack(start);
    });
  }

  /** Delays the start if the preview is not current. Returns whether it was delayed. */
  defer(): boolean {
    this.#choices = JSON.stringify(this.#chosen());
    this.waiting = this.#isChecking();
    return this.waiting;
  }
}
