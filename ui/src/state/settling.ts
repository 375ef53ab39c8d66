/**
 * Rows that move under the pointer: after each change, presses are ignored for a moment, since they may be meant for
 * another row.
 */

/** In milliseconds. */
const SETTLE = 350;

export class Settling {
  #last: readonly string[] = [];
  #until = 0;

  /** The rows in their order. Rows that are added at the end move no other one. */
  shows(ids: readonly string[], now: number = performance.now()): void {
    if (this.#last.some((id, i) => ids[i] !== id)) this.#until = now + SETTLE;
    this.#last = [...ids];
  }

  ready(now: number = performance.now()): boolean {
    return now >= this.#until;
  }
}
