/**
 * Something that is read again whenever it may have changed: one reading at a time, of many changes meanwhile one
 * more follows, and between two of them it rests. What was read stays while it cannot be read.
 */
import { asCallError, type CallError } from "../platform";

/** Between the end of a reading and the next, in milliseconds. */
export const REST = 250;

export class Live<T> {
  value = $state.raw<T | null>(null);
  error = $state.raw<CallError | null>(null);

  readonly #read: () => Promise<T>;
  #users = 0;
  #under = false;
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  /** Somebody looks at it, until the answer is called: only then is it kept right. */
  open(): () => void {
    this.#users++;
    if (this.#users === 1) this.now();
    return () => {
      this.#users--;
      if (this.#users === 0) clearTimeout(this.#timer);
      if (this.#users === 0) this.#timer = undefined;
    };
  }

  /** It may have changed. */
  changed(): void {
    if (this.#users === 0) return;
    if (this.#under) this.#again = true;
    else this.#timer ??= setTimeout(() => void this.#go(), REST);
  }

  /** Reads it without rest: somebody waits for it. */
  now(): void {
    if (this.#under) this.#again = true;
    else void this.#go();
  }

  /** What a command answered is newer than what was read. */
  put(value: T): void {
    this.value = value;
    this.error = null;
    // A reading that began before may end later.
    if (this.#under) this.#again = true;
  }

  async #go(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#under = true;
    try {
      [this.value, this.error] = [await this.#read(), null];
    } catch (thrown) {
      this.error = asCallError(thrown);
    }
    this.#under = false;
    const again = this.#again;
    this.#again = false;
    if (again) this.changed();
  }
}
