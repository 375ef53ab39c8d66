/**
 * Something that is read again whenever it may have changed: one reading at a time, of many changes meanwhile one
 * more follows, and between two of them it rests, the longer the longer a reading takes. Nothing is read for a window
 * that nobody sees. What was read stays while it cannot be read.
 */
import { asCallError, type CallError } from "../platform";

/** The least time between the end of a reading and the next, in milliseconds. */
export const REST = 250;
/** So many times as long as a reading takes is rested after it: a fleet that changes all the time is not read all the time. */
const SHARE = 4;
const LONGEST = 5_000;

export class Live<T> {
  value = $state.raw<T | null>(null);
  error = $state.raw<CallError | null>(null);

  readonly #read: () => Promise<T>;
  #users = 0;
  #under = false;
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #took = 0;
  /** It changed while nobody saw the window. */
  #stale = false;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  /** Somebody looks at it, until the answer is called: only then is it kept right. */
  open(): () => void {
    this.#users++;
    if (this.#users === 1) {
      document.addEventListener("visibilitychange", this.#seen);
      this.now();
    }
    return () => {
      this.#users--;
      if (this.#users > 0) return;
      document.removeEventListener("visibilitychange", this.#seen);
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /** It may have changed. */
  changed(): void {
    if (this.#users === 0) return;
    if (this.#under) this.#again = true;
    else if (document.visibilityState === "hidden") this.#stale = true;
    else this.#timer ??= setTimeout(() => void this.#go(), Math.min(LONGEST, Math.max(REST, this.#took * SHARE)));
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

  readonly #seen = (): void => {
    if (this.#stale && document.visibilityState !== "hidden") this.now();
  };

  async #go(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#under = true;
    this.#stale = false;
    const begun = performance.now();
    try {
      [this.value, this.error] = [await this.#read(), null];
    } catch (thrown) {
      this.error = asCallError(thrown);
    }
    this.#took = performance.now() - begun;
    this.#under = false;
    const again = this.#again;
    this.#again = false;
    if (again) this.changed();
  }
}
