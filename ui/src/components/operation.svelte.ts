/** An operation of a component: whether the user waits for it, and the error of its last run. */
import { asCallError, type CallError } from "../platform";

export class Operation {
  busy = $state(false);
  error = $state.raw<CallError | null>(null);

  /** Runs `work` and keeps its error. Returns whether it succeeded. */
  async try(work: () => Promise<unknown>): Promise<boolean> {
    this.error = null;
    try {
      await work();
      return true;
    } catch (thrown) {
      this.error = asCallError(thrown);
      return false;
    }
  }

  /** Like `try`; `busy` is set meanwhile. */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    this.busy = true;
    const done = await this.try(work);
    this.busy = false;
    return done;
  }
}
