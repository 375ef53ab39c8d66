/** The time that live durations are counted to. It only ticks while somebody looks and something runs. */
const TICK = 10_000;

export class Clock {
  now = $state(Date.now());
  #users = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    document.addEventListener("visibilitychange", () => this.#update());
  }

  /** Ticks until the returned function is called. */
  run(): () => void {
    this.#users++;
    this.#update();
    return () => {
      this.#users--;
      this.#update();
    };
  }

  #update(): void {
    const wanted = this.#users > 0 && document.visibilityState !== "hidden";
    if (wanted && this.#timer === undefined) {
      this.now = Date.now();
      this.#timer = setInterval(() => (this.now = Date.now()), TICK);
    } else if (!wanted) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }
}
