/** A start that the user requested while its preview was being updated. It happens once the preview is current. */
import { untrack } from "svelte";

export class DelayedStart {
  waiting = $state(false);
  readonly #isChecking: () => boolean;

  /** Must be called while a component is created. `start` is called when the preview is current. */
  constructor(isChecking: () => boolean, start: () => void) {
    this.#isChecking = isChecking;
    $effect(() => {
      if (!this.waiting || isChecking()) return;
      this.waiting = false;
      untrack(start);
    });
  }

  /** Whether a start that is requested now has to wait; if so, it happens later. */
  mustWait(): boolean {
    this.waiting = this.#isChecking();
    return this.waiting;
  }
}
