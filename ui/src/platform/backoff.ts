/** Retry delays: 250 ms, doubling up to 8 s. */
export class Backoff {
  #tries = 0;

  next(): number {
    return Math.min(250 * 2 ** this.#tries++, 8000);
  }

  reset(): void {
    this.#tries = 0;
  }
}
