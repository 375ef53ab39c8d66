/**
 * Where the reader of a conversation is: at its end, which is followed when something comes, or further up, where
 * nothing moves. Near a side that is not the conversation's own, more of it is asked for.
 */
import { tick } from "svelte";

/** So near the end still counts as the end, in pixels. */
const NEAR = 32;
/** So near a side more is asked for, in pixels. */
const NEARBY = 1200;
/** What is done here moves the list for so long, in milliseconds. */
const ACTED = 1000;
const ACTS = ["wheel", "keydown", "pointerdown", "pointermove", "touchmove"];

export type Side = "first" | "last";

export class Following {
  /** At the end. */
  on = $state(false);
  /** How many rows there were when the reader left the end. */
  seen = $state(0);
  /** What the scrollbar takes, so that both sides look alike. */
  bar = $state(0);

  readonly #count: () => number;
  readonly #ends: () => boolean;
  readonly #near: (side: Side) => void;
  #box: HTMLElement | undefined;
  #last = { scrollTop: 0, scrollHeight: 0, clientHeight: 0 };
  /** When the person did something here. */
  #acted = -Infinity;
  /** A button is down: the scrollbar may be dragged for long. */
  #pressed = false;
  #frame = 0;
  /** Rows are being laid out. */
  #settling = false;

  /**
   * `count` says how many rows there are, `ends` whether the last one is the conversation's; `near` is told when the
   * reader comes near a side.
   */
  constructor(on: boolean, { count, ends, near }: { count: () => number; ends: () => boolean; near: (side: Side) => void }) {
    this.on = on;
    this.#count = count;
    this.#ends = ends;
    this.#near = near;
  }

  /** The list's own height changes when a card or a longer composer stands under it. */
  watch(box: HTMLElement): () => void {
    this.#box = box;
    const act = (event: Event) => this.#act(event);
    const observer = new ResizeObserver(() => {
      this.bar = box.offsetWidth - box.clientWidth;
      this.stick();
    });
    observer.observe(box);
    for (const type of ACTS) box.addEventListener(type, act, { passive: true });
    return () => {
      observer.disconnect();
      for (const type of ACTS) box.removeEventListener(type, act);
      // Frames that are still to come look at nothing: whoever would be asked for more is gone, too.
      if (this.#box === box) this.#box = undefined;
    };
  }

  /** Stays at the end: at once, and again when rows were measured and the list has its height. */
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

  /** To the end. */
  jump(): void {
    this.on = true;
    this.stick();
  }

  /** The person looks at something further up. */
  leave(): void {
    this.on = false;
    this.seen = this.#count();
  }

  /** What is opened grows downwards, under the pointer, even at the end. */
  async stay(): Promise<void> {
    this.leave();
    await tick();
    requestAnimationFrame(() => requestAnimationFrame(() => this.scrolled()));
  }

  /**
   * Up is the person's wish when it follows on a press, a turn of the wheel or a touch, or when nothing else has
   * changed. Else it is the browser's or the list's: rows were measured, or a draft became one.
   */
  scrolled(): void {
    if (!this.#box) return;
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    const [far, up] = [this.#distance(), scrollTop < this.#last.scrollTop - 1];
    const calm = !this.#settling && scrollHeight === this.#last.scrollHeight && clientHeight === this.#last.clientHeight;
    const acted = this.#pressed || performance.now() - this.#acted < ACTED;
    if (far <= 1 || (far <= NEAR && !up)) this.on = this.#ends();
    else if (far > NEAR && this.on) {
      if (up && (calm || acted)) this.leave();
      else this.stick();
    }
    this.#last = { scrollTop, scrollHeight, clientHeight };
    if (acted) this.#nearby();
  }

  /** A part that does not fill the view cannot be scrolled to its side. */
  fill(): void {
    if (this.#box && this.#box.scrollHeight <= this.#box.clientHeight) this.#nearby();
  }

  #act(event: Event): void {
    const pointer = event instanceof PointerEvent;
    if (pointer) this.#pressed = event.buttons !== 0;
    if (pointer && event.buttons === 0) return;
    this.#acted = performance.now();
    // At a side already nothing scrolls any more.
    this.#nearby();
    const box = this.#box;
    if (event instanceof WheelEvent && event.deltaY < 0 && this.on && box && box.scrollHeight > box.clientHeight) this.leave();
  }

  #nearby(): void {
    if (!this.#box) return;
    if (this.#box.scrollTop < NEARBY) this.#near("first");
    if (this.#distance() < NEARBY) this.#near("last");
  }

  #distance(): number {
    return this.#box ? this.#box.scrollHeight - this.#box.scrollTop - this.#box.clientHeight : 0;
  }

  #toEnd(): void {
    if (this.#box && this.on) this.#box.scrollTop = this.#box.scrollHeight;
  }
}
