/**
 * The current time for durations and dates. It ticks while the window is visible: every ten seconds while
 * something runs, else every minute.
 */
const ACTIVE_TICK_MS = 10_000;
/** Enough for texts like `5m ago`. */
const IDLE_TICK_MS = 60_000;

export class Clock {
  now = $state(Date.now());
  #users = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #every = 0;

  constructor() {
    this.#update();
    document.addEventListener("visibilitychange", () => this.#update());
  }

  /** Ticks often until the returned function is called. */
  run(): () => void {
    this.#users++;
    this.#update();
    return () => {
      this.#users--;
      this.#update();
    };
  }

  #update(): void {
    const every = document.visibilityState === "hidden" ? 0 : this.#users > 0 ? ACTIVE_TICK_MS : IDLE_TICK_MS;
    if (every === this.#every) return;
    clearInterval(this.#timer);
    this.#every = every;
    if (every === 0) return;
    this.now = Date.now();
    this.#timer = setInterval(() => (this.now = Date.now()), every);
  }
}
