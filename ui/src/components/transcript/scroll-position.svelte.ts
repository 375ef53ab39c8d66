/**
 * The scroll position of a conversation: the view follows the end, or stays in place further up. Near a side with
 * unloaded messages, more are requested.
 */
import { tick } from "svelte";

/** Up to this distance from the end, the view counts as being at the end. */
const AT_END_PX = 32;
/** The distance from a side at which more messages are requested. */
const LOAD_MORE_PX = 1200;
/** For this many milliseconds after an input, scrolling counts as the user's. */
const USER_INPUT_MS = 1000;
const INPUT_EVENTS = ["wheel", "keydown", "pointerdown", "pointermove", "touchmove"];

export type Side = "first" | "last";

export class ScrollPosition {
  /** Whether the view follows the end. */
  on = $state(false);
  /** The number of rows when the view stopped following. */
  seen = $state(0);
  /** The scrollbar's width in pixels, which the other side gets as padding. */
  bar = $state(0);

  readonly #count: () => number;
  readonly #ends: () => boolean;
  readonly #near: (side: Side) => void;
  #box: HTMLElement | undefined;
  #last = { scrollTop: 0, scrollHeight: 0, clientHeight: 0 };
  /** The time of the user's last input in the list. */
  #acted = -Infinity;
  /** Whether a mouse button is pressed, for example on the scrollbar. */
  #pressed = false;
  #frame = 0;
  /** Whether rows are being laid out. */
  #settling = false;

  /**
   * `count` returns the number of rows, and `ends` whether the last one ends the conversation. `near` is called
   * near a side, to load more.
   */
  constructor(
    on: boolean,
    { count, ends, near }: { count: () => number; ends: () => boolean; near: (side: Side) => void },
  ) {
    this.on = on;
    this.#count = count;
    this.#ends = ends;
    this.#near = near;
  }

  /** Observes the list's element, whose height changes with the card or composer below it. Returns a function that
   * stops. */
  watch(box: HTMLElement): () => void {
    this.#box = box;
    const act = (event: Event) => this.#act(event);
    const observer = new ResizeObserver(() => {
      this.bar = box.offsetWidth - box.clientWidth;
      this.stick();
    });
    observer.observe(box);
    for (const type of INPUT_EVENTS) box.addEventListener(type, act, { passive: true });
    return () => {
      observer.disconnect();
      for (const type of INPUT_EVENTS) box.removeEventListener(type, act);
      // Pending frames must not use a removed element.
      if (this.#box === box) this.#box = undefined;
    };
  }

  /** Keeps the view at the end: now, and after the rows were measured. */
  stick(): void {
    if (!this.on) return;
    this.#settling = true;
    this.#toEnd();
    void tick().then(() => this.#toEnd());
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#toEnd();
      this.#frame = requestAnimationFrame(() => {
        this.#toEnd();
        this.#frame = requestAnimationFrame(() => (this.#settling = false));
      });
    });
  }

  /** Jumps to the end. */
  jump(): void {
    this.on = true;
    this.stick();
  }

  /** Stops following the end. */
  leave(): void {
    this.on = false;
    this.seen = this.#count();
  }

  /** Stops following while content expands, so that it grows downwards even at the end. */
  async stay(): Promise<void> {
    this.leave();
    await tick();
    requestAnimationFrame(() => requestAnimationFrame(() => this.scrolled()));
  }

  /**
   * Handles a scroll event. Scrolling up is the user's if it follows an input, or if nothing else changed.
   * Otherwise the browser or the list scrolled, because rows were measured or a draft became a row.
   */
  scrolled(): void {
    if (!this.#box) return;
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    const [far, up] = [this.#distance(), scrollTop < this.#last.scrollTop - 1];
    const calm =
      !this.#settling && scrollHeight === this.#last.scrollHeight && clientHeight === this.#last.clientHeight;
    const acted = this.#pressed || performance.now() - this.#acted < USER_INPUT_MS;
    if (far <= 1 || (far <= AT_END_PX && !up)) this.on = this.#ends();
    else if (far > AT_END_PX && this.on) {
      if (up && (calm || acted)) this.leave();
      else this.stick();
    }
    this.#last = { scrollTop, scrollHeight, clientHeight };
    if (acted) this.#nearby();
  }

  /** If the content does not fill the view, it cannot be scrolled, so more is requested. */
  fill(): void {
    if (this.#box && this.#box.scrollHeight <= this.#box.clientHeight) this.#nearby();
  }

  #act(event: Event): void {
    const pointer = event instanceof PointerEvent;
    if (pointer) this.#pressed = event.buttons !== 0;
    if (pointer && event.buttons === 0) return;
    this.#acted = performance.now();
    // No scroll event fires at the edge.
    this.#nearby();
    const box = this.#box;
    if (event instanceof WheelEvent && event.deltaY < 0 && this.on && box && box.scrollHeight > box.clientHeight)
      this.leave();
  }

  #nearby(): void {
    if (!this.#box) return;
    if (this.#box.scrollTop < LOAD_MORE_PX) this.#near("first");
    if (this.#distance() < LOAD_MORE_PX) this.#near("last");
  }

  #distance(): number {
    return this.#box ? this.#box.scrollHeight - this.#box.scrollTop - this.#box.clientHeight : 0;
  }

  #toEnd(): void {
    if (this.#box && this.on) this.#box.scrollTop = this.#box.scrollHeight;
  }
}
