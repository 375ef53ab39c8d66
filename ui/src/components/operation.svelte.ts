/** An operation of a component: whether the user waits for it, and the error of its last run. */
import { asCallError, type CallError } from "../platform";

export class Operation {
  busy = $state(false);
  error = $state.raw<CallError | null>(null);

  /** Runs `work` and keeps its error. Returns whether it succeeded. */
  try(work: () => Promise<unknown>): Promise<boolean> {
    return this.#attempt(work, false);
  }

  /** Like `try`; `busy` is set meanwhile. */
  run(work: () => Promise<unknown>): Promise<boolean> {
    return this.#attempt(work, true);
  }

  async #attempt(work: () => Promise<unknown>, waits: boolean): Promise<boolean> {
    this.error = null;
    if (waits) this.busy = true;
    try {
      await work();
      return true;
    } catch (thrown) {
      this.error = asCallError(thrown);
      return false;
    } finally {
      if (waits) this.busy = false;
    }
  }
}
