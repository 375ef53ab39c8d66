/**
 * Coalesces calls of a function: one runs at a time, and calls during a run cause one more run after it. Only the
 * promise of the first call lasts until all runs end. `run` must not reject.
 */
export function coalesced(run: () => Promise<void>): () => Promise<void> {
  let running = false;
  let again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    while (again) {
      again = false;
      await run();
    }
    running = false;
  };
}
