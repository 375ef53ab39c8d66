/** Mouse and touch input of the graph: Ctrl+wheel and pinching zoom, dragging pans. */
import { on } from "svelte/events";
import type { Point } from "../../components/graph-navigation";
import { pinched, turned } from "./graph-view";

export interface GraphInput {
  scale: () => number;
  /** Zooms around a point. */
  onscale: (to: number, at: Point) => void;
}

export function graphInput({ scale, onscale }: GraphInput): (room: HTMLElement) => () => void {
  return (room) => {
    const at = (x: number, y: number): Point => {
      const { left, top } = room.getBoundingClientRect();
      return { x: x - left, y: y - top };
    };
    const wheel = (event: WheelEvent): void => {
      // Without Ctrl, the wheel scrolls. A touchpad reports pinching as a wheel event with Ctrl.
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      onscale(turned(scale(), event), at(event.clientX, event.clientY));
    };

    let begun: { apart: number; scale: number } | null = null;
    const fingers = ({ touches: [one, other] }: TouchEvent) =>
      one && other
        ? {
            apart: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
            x: (one.clientX + other.clientX) / 2,
            y: (one.clientY + other.clientY) / 2,
          }
        : null;
    const touched = (event: TouchEvent): void => {
      const two = fingers(event);
      begun = two && { apart: two.apart, scale: scale() };
    };
    const moved = (event: TouchEvent): void => {
      const two = fingers(event);
      if (!two || !begun) return;
      event.preventDefault();
      onscale(pinched(begun.scale, begun.apart, two.apart), at(two.x, two.y));
    };

    let held: { x: number; y: number; left: number; top: number } | null = null;
    const down = (event: PointerEvent): void => {
      // Touch scrolls natively, and a press on a node is a click.
      if (event.pointerType !== "mouse" || event.button !== 0 || (event.target as Element).closest("button")) return;
      held = { x: event.clientX, y: event.clientY, left: room.scrollLeft, top: room.scrollTop };
      room.setPointerCapture(event.pointerId);
    };
    const drag = (event: PointerEvent): void => {
      if (held) room.scrollTo(held.left + held.x - event.clientX, held.top + held.y - event.clientY);
    };
    const up = (): void => {
      held = null;
    };

    const all = [
      on(room, "wheel", wheel, { passive: false }),
      on(room, "touchstart", touched, { passive: true }),
      on(room, "touchmove", moved, { passive: false }),
      on(room, "touchend", touched, { passive: true }),
      on(room, "pointerdown", down),
      on(room, "pointermove", drag),
      on(room, "pointerup", up),
      on(room, "pointercancel", up),
    ];
    return () => all.forEach((off) => off());
  };
}
