/** Waits between tries: 250 ms doubling to 8 s, so a server that restarts is back at once and one that is gone costs little. */
export class Backoff {
  #tries = 0;

  next(): number {
    return Math.min(250 * 2 ** this.#tries++, 8000);
  }

  reset(): void {
    this.#tries = 0;
  }
}
