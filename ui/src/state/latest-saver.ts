/**
 * Saves the latest value of a changing setting. Except in `leave`, only one save runs at a time, so an older
 * value does not overwrite a newer one. Of the values set during a save, only the latest is saved next.
 */
export class LatestSaver<T> {
  readonly #keep: (value: T) => Promise<unknown>;
  #next: { value: T } | null = null;
  #under = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** A failed save is neither reported nor retried. */
  constructor(keep: (value: T) => Promise<unknown>) {
    this.#keep = keep;
  }

  /** Saves a value at once, or after `rest` milliseconds without another change; during a save, when that save ends. */
  keep(value: T, rest = 0): void {
    this.#next = { value };
    clearTimeout(this.#timer);
    if (rest > 0) this.#timer = setTimeout(() => this.#go(), rest);
    else this.#go();
  }

  /** Saves the pending value now, even during another save, because the page or field closes. */
  leave(): void {
    clearTimeout(this.#timer);
    const next = this.#take();
    if (next) void this.#keep(next.value).catch(() => {});
  }

  #take(): { value: T } | null {
    const next = this.#next;
    this.#next = null;
    return next;
  }

  #go(): void {
    if (this.#under) return;
    const next = this.#take();
    if (!next) return;
    this.#under = true;
    const done = () => {
      this.#under = false;
      this.#go();
    };
    this.#keep(next.value).then(done, done);
  }
}
