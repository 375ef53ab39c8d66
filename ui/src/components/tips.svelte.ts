/** The one tooltip that is shown at a time, and when it is: most buttons have one, and few are ever looked at. */

export type Side = "top" | "right" | "bottom" | "left";

export interface Tip {
  text: string;
  keys?: string | undefined;
  side: Side;
}

/** Rested on for so long, in milliseconds, an element says what it does. */
const REST = 400;
/** Who has just read one reads the next at once. */
const READING = 300;
/** From its element, and from the window's edge, in pixels. */
const OFF = 6;
const EDGE = 8;

/** The tooltip's name for who listens: there is only one. */
export const TIP_ID = "tip";

class Tips {
  shown = $state.raw<{ at: HTMLElement; tip: () => Tip } | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hidden = -Infinity;

  /** What an element listens to, to show this. */
  listeners(tip: () => Tip) {
    return {
      onpointerenter: (event: PointerEvent) => {
        if (event.pointerType === "touch" || !(event.currentTarget instanceof HTMLElement)) return;
        const at = event.currentTarget;
        clearTimeout(this.#timer);
        if (performance.now() - this.#hidden < READING) this.#show(at, tip);
        else this.#timer = setTimeout(() => this.#show(at, tip), REST);
      },
      onpointerleave: () => this.hide(),
      onpointerdown: () => this.hide(),
      onfocus: (event: FocusEvent) => {
        // With the pointer it is there already.
        if (event.currentTarget instanceof HTMLElement && event.currentTarget.matches(":focus-visible")) this.#show(event.currentTarget, tip);
      },
      onblur: () => this.hide(),
    };
  }

  #show(at: HTMLElement, tip: () => Tip): void {
    // What it would tell of is gone, or open already.
    if (!at.isConnected || at.getAttribute("aria-expanded") === "true") return;
    this.hide();
    at.setAttribute("aria-describedby", TIP_ID);
    this.shown = { at, tip };
  }

  hide(): void {
    clearTimeout(this.#timer);
    if (!this.shown) return;
    this.shown.at.removeAttribute("aria-describedby");
    this.shown = null;
    this.#hidden = performance.now();
  }

  /** An element is gone, and its tooltip with it. */
  gone(tip: () => Tip): void {
    if (this.shown?.tip === tip) this.hide();
  }
}

export const tips = new Tips();

interface Size {
  width: number;
  height: number;
}

/** Where a tooltip stands: on its side, or on the other one where there is more room, and always in sight. */
export function place(at: DOMRect, tip: Size, side: Side, view: Size): { left: number; top: number } {
  const room = { top: at.top, bottom: view.height - at.bottom, left: at.left, right: view.width - at.right };
  const other = { top: "bottom", bottom: "top", left: "right", right: "left" } as const;
  const needed = (side === "top" || side === "bottom" ? tip.height : tip.width) + OFF + EDGE;
  const on = room[side] < needed && room[other[side]] > room[side] ? other[side] : side;
  const along = (start: number, size: number, own: number) => start + (size - own) / 2;
  const within = (from: number, own: number, all: number) => Math.max(EDGE, Math.min(from, all - own - EDGE));
  const left = on === "left" ? at.left - OFF - tip.width : on === "right" ? at.right + OFF : along(at.left, at.width, tip.width);
  const top = on === "top" ? at.top - OFF - tip.height : on === "bottom" ? at.bottom + OFF : along(at.top, at.height, tip.height);
  return { left: Math.round(within(left, tip.width, view.width)), top: Math.round(within(top, tip.height, view.height)) };
}
