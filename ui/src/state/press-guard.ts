/**
 * Guards rows that move under the pointer: presses are ignored for a moment after a move, since they may be meant
 * for another row.
 */

/** How long presses are ignored after a move, in milliseconds. */
const IGNORED_MS = 350;

export class PressGuard {
  #last: readonly string[] = [];
  #until = 0;

  /** Notes the rows in their order. Rows that are added at the end move no other row. */
  shows(ids: readonly string[], now: number = performance.now()): void {
    if (this.#last.some((id, i) => ids[i] !== id)) this.#until = now + IGNORED_MS;
    this.#last = [...ids];
  }

  ready(now: number = performance.now()): boolean {
    return now >= this.#until;
  }
}
