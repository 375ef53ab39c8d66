/**
 * A value that is reloaded when it may have changed. One load runs at a time, with at most one more after it. The
 * pause before a reload grows with the load time. Changes in a hidden window are loaded when it becomes visible.
 * If a load fails, the last value stays.
 */
import { asCallError, type CallError } from "../platform";

/** The minimum pause before a reload, in milliseconds. */
export const REST = 250;
/** The pause as a multiple of the last load's duration, and its maximum in milliseconds. */
const FACTOR = 4;
const LONGEST = 5_000;

export class LiveQuery<T> {
  value = $state.raw<T | null>(null);
  error = $state.raw<CallError | null>(null);

  readonly #read: () => Promise<T>;
  #users = 0;
  #loading = false;
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #took = 0;
  /** Whether the value may have changed while the window was hidden. */
  #stale = false;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  /** Keeps the value up to date until the returned function is called. */
  open(): () => void {
    this.#users++;
    if (this.#users === 1) {
      document.addEventListener("visibilitychange", this.#becameVisible);
      this.now();
    }
    return () => {
      this.#users--;
      if (this.#users > 0) return;
      document.removeEventListener("visibilitychange", this.#becameVisible);
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Reloads soon, because the value may have changed. */
  changed(): void {
    if (this.#users === 0) return;
    if (this.#loading) this.#again = true;
    else if (document.visibilityState === "hidden") this.#stale = true;
    else this.#timer ??= setTimeout(() => void this.#load(), Math.min(LONGEST, Math.max(REST, this.#took * FACTOR)));
  }

  /** Loads at once; during a load, reloads soon after it. */
  now(): void {
    if (this.#loading) this.#again = true;
    else void this.#load();
  }

  /** Stores a command's answer, which is newer than any load. */
  put(value: T): void {
    this.value = value;
    this.error = null;
    // A load that started earlier may finish later.
    if (this.#loading) this.#again = true;
  }

  readonly #becameVisible = (): void => {
    if (this.#stale && document.visibilityState !== "hidden") this.now();
  };

  async #load(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#loading = true;
    this.#stale = false;
    const begun = performance.now();
    try {
      [this.value, this.error] = [await this.#read(), null];
    } catch (thrown) {
      this.error = asCallError(thrown);
    }
    this.#took = performance.now() - begun;
    this.#loading = false;
    const again = this.#again;
    this.#again = false;
    if (again) this.changed();
  }
}
