/**
 * Keeps the newest of a changing value somewhere else. Only one keeping is on its way at a time, so that an older
 * value can never arrive after a newer one; of what came meanwhile the newest is next.
 */
export class Keeping<T> {
  readonly #keep: (value: T) => Promise<unknown>;
  #next: { value: T } | null = null;
  #under = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** What `keep` could not keep is let go: a newer value comes, or what was kept before stays. */
  constructor(keep: (value: T) => Promise<unknown>) {
    this.#keep = keep;
  }

  /** Keeps a value at once, or once it has rested so long, in milliseconds. */
  keep(value: T, rest = 0): void {
    this.#next = { value };
    clearTimeout(this.#timer);
    if (rest > 0) this.#timer = setTimeout(() => this.#go(), rest);
    else this.#go();
  }

  /** What is not kept yet goes now, also beside what is on its way: nobody is there to send it later. */
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
