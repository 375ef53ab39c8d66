/** An operation of a component: whether the user waits for it, and the error of its last run. */
import { asCallError, type CallError } from "../platform";

export class Operation {
  busy = $state(false);
  error = $state.raw<CallError | null>(null);
  #round = 0;

  /** Runs `work` and keeps its error. Returns whether it succeeded. */
  try(work: () => Promise<unknown>): Promise<boolean> {
    return this.#attempt(work, false);
  }

  /** Like `try`, and sets `busy` while `work` runs. */
  run(work: () => Promise<unknown>): Promise<boolean> {
    return this.#attempt(work, true);
  }

  /** Passes the answer of `ask` to `use`, or keeps its error, unless a later call of `load` has started. */
  async load<Answer>(ask: () => Promise<Answer>, use: (answer: Answer) => void): Promise<void> {
    const round = ++this.#round;
    try {
      const answer = await ask();
      if (round !== this.#round) return;
      this.error = null;
      use(answer);
    } catch (thrown) {
      if (round === this.#round) this.error = asCallError(thrown);
    }
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
