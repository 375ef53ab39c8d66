/** The state of the tooltip. Only one is shown at a time. */

export type Side = "top" | "right" | "bottom" | "left";

export interface Tip {
  text: string;
  keys?: string | undefined;
  side: Side;
}

const HOVER_DELAY_MS = 400;
/** Within this many milliseconds after a tooltip was hidden, the next one appears without delay. */
const NO_DELAY_MS = 300;
/** The distance from the element and from the window's edge, in pixels. */
const GAP = 6;
const EDGE = 8;

/** The ID of the only tooltip element. */
export const TIP_ID = "tip";

class Tips {
  shown = $state.raw<{ at: HTMLElement; tip: () => Tip } | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hidden = -Infinity;

  /** The listeners that show a tooltip for an element. */
  listeners(tip: () => Tip) {
    return {
      onpointerenter: (event: PointerEvent) => {
        if (event.pointerType === "touch" || !(event.currentTarget instanceof HTMLElement)) return;
        const at = event.currentTarget;
        clearTimeout(this.#timer);
        if (performance.now() - this.#hidden < NO_DELAY_MS) this.#show(at, tip);
        else this.#timer = setTimeout(() => this.#show(at, tip), HOVER_DELAY_MS);
      },
      onpointerleave: () => this.hide(),
      onpointerdown: () => this.hide(),
      onfocus: (event: FocusEvent) => {
        // Only for keyboard focus: with a pointer, hovering shows the tooltip.
        if (event.currentTarget instanceof HTMLElement && event.currentTarget.matches(":focus-visible"))
          this.#show(event.currentTarget, tip);
      },
      onblur: () => this.hide(),
    };
  }

  #show(at: HTMLElement, tip: () => Tip): void {
    // Not for a removed element, nor for one whose menu is open.
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

  /** Call when a trigger is destroyed: hides its tooltip. */
  gone(tip: () => Tip): void {
    if (this.shown?.tip === tip) this.hide();
  }
}

export const tips = new Tips();

interface Size {
  width: number;
  height: number;
}

/** The tooltip's position inside the window: on the requested side, or on the opposite one if the tooltip does not
 * fit and there is more room. */
export function place(at: DOMRect, tip: Size, side: Side, view: Size): { left: number; top: number } {
  const room = { top: at.top, bottom: view.height - at.bottom, left: at.left, right: view.width - at.right };
  const other = { top: "bottom", bottom: "top", left: "right", right: "left" } as const;
  const needed = (side === "top" || side === "bottom" ? tip.height : tip.width) + GAP + EDGE;
  const on = room[side] < needed && room[other[side]] > room[side] ? other[side] : side;
  const along = (start: number, size: number, own: number) => start + (size - own) / 2;
  const within = (from: number, own: number, all: number) => Math.max(EDGE, Math.min(from, all - own - EDGE));
  const left =
    on === "left" ? at.left - GAP - tip.width : on === "right" ? at.right + GAP : along(at.left, at.width, tip.width);
  const top =
    on === "top" ? at.top - GAP - tip.height : on === "bottom" ? at.bottom + GAP : along(at.top, at.height, tip.height);
  return {
    left: Math.round(within(left, tip.width, view.width)),
    top: Math.round(within(top, tip.height, view.height)),
  };
}
