/**
 * Saves the latest value of a layout or text that changes often. Except in `leave`, only one save runs at a time, so
 * an older value does not overwrite a newer one. Of the values set during a save, only the latest is saved next.
 */
export class LatestSaver<T> {
  readonly #save: (value: T) => Promise<unknown>;
  #next: { value: T } | null = null;
  #saving = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** A failed save is neither reported nor retried. */
  constructor(save: (value: T) => Promise<unknown>) {
    this.#save = save;
  }

  /** Saves a value at once, or after `rest` milliseconds without another change; during a save, when that save ends. */
  keep(value: T, rest = 0): void {
    this.#next = { value };
    clearTimeout(this.#timer);
    if (rest > 0) this.#timer = setTimeout(() => this.#start(), rest);
    else this.#start();
  }

  /** Saves the pending value now, even during another save, because the page or field closes. */
  leave(): void {
    clearTimeout(this.#timer);
    const next = this.#take();
    if (next) void this.#save(next.value).catch(() => {});
  }

  #take(): { value: T } | null {
    const next = this.#next;
    this.#next = null;
    return next;
  }

  #start(): void {
    if (this.#saving) return;
    const next = this.#take();
    if (!next) return;
    this.#saving = true;
    const done = () => {
      this.#saving = false;
      this.#start();
    };
    this.#save(next.value).then(done, done);
  }
}
