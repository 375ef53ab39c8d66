/** Mouse, touchpad and touch input of the graph: dragging and the wheel pan; Ctrl+wheel and pinching zoom. */
import { on } from "svelte/events";
import type { Point } from "../../components/graph-navigation";
import { turned, zoomed, type View } from "./view";

export interface PanZoom {
  view: () => View;
  onview: (view: View) => void;
  /** A click outside the elements of beads, in pixels from the stage's top left corner. */
  onpoint: (x: number, y: number) => void;
}

/** A press that moves less than this many pixels is a click. */
const CLICK_PX = 4;

export function panZoom({ view, onview, onpoint }: PanZoom): (stage: HTMLElement) => () => void {
  return (stage) => {
    const at = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
      const { left, top } = stage.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const now = view();
      if (event.ctrlKey || event.metaKey) return onview(zoomed(now, turned(now.scale, event), at(event)));
      const by = event.deltaMode === 1 ? 16 : 1;
      const [x, y] = event.shiftKey && event.deltaX === 0 ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      onview({ ...now, x: now.x - x * by, y: now.y - y * by });
    };

    const held = new Map<number, Point>();
    let moved = 0;
    const down = (event: PointerEvent): void => {
      const onBead = event.target instanceof Element && event.target.closest("button");
      if (event.button !== 0 || (onBead && event.pointerType === "mouse")) return;
      if (held.size === 0) moved = 0;
      held.set(event.pointerId, at(event));
      if (!onBead) stage.setPointerCapture(event.pointerId);
    };
    const drag = (event: PointerEvent): void => {
      const before = held.get(event.pointerId);
      if (!before) return;
      const here = at(event);
      const now = view();
      const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
      held.set(event.pointerId, here);
      moved += Math.abs(here.x - before.x) + Math.abs(here.y - before.y);
      if (other) {
        const apart = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y) || 1;
        const middle = { x: (here.x + other.x) / 2, y: (here.y + other.y) / 2 };
        onview(zoomed(now, (now.scale * apart(here, other)) / apart(before, other), middle));
      } else if (moved >= CLICK_PX) onview({ ...now, x: now.x + here.x - before.x, y: now.y + here.y - before.y });
    };
    const up = (event: PointerEvent): void => {
      if (!held.delete(event.pointerId)) return;
      const onBead = event.target instanceof Element && event.target.closest("button");
      if (event.type === "pointerup" && moved < CLICK_PX && !onBead && held.size === 0) {
        const { x, y } = at(event);
        onpoint(x, y);
      }
    };
    const all = [
      on(stage, "wheel", wheel, { passive: false }),
      on(stage, "pointerdown", down),
      on(stage, "pointermove", drag),
      on(stage, "pointerup", up),
      on(stage, "pointercancel", up),
    ];
    return () => all.forEach((off) => off());
  };
}
