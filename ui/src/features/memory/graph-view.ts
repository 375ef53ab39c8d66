/**
 * The zoom and scroll position of the graph. Zooming keeps the point under the pointer in place. A small graph is
 * centred; a large one scrolls within its bounds.
 */
import { nextLevel, wheelFactor, within, type Point, type Size } from "../../components/graph-navigation";

export interface View {
  scale: number;
  /** The scroll offset, in screen pixels. */
  left: number;
  top: number;
}

/** The zoom levels of buttons and keys. */
const LEVELS = [0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2];
const FARTHEST = 0.02;
const NEAREST = 2;

/** The next zoom level, or the limit. */
export function stepped(scale: number, by: 1 | -1): number {
  return nextLevel(LEVELS, scale, by) ?? within(scale, FARTHEST, NEAREST);
}

/** The zoom after a wheel event. */
export function turned(scale: number, event: Parameters<typeof wheelFactor>[0]): number {
  return within(scale * wheelFactor(event), FARTHEST, NEAREST);
}

/** The zoom after a pinch that changes the distance of the fingers from `before` to `after`. */
export function pinched(scale: number, before: number, after: number): number {
  return before > 0 ? within((scale * after) / before, FARTHEST, NEAREST) : scale;
}

/** Fits the whole graph, at no more than 100 %. */
export function fitted(whole: Size, room: Size): View {
  const scale = Math.min(1, room.width / Math.max(whole.width, 1), room.height / Math.max(whole.height, 1));
  return { scale: within(Math.floor(scale * 1000) / 1000, FARTHEST, 1), left: 0, top: 0 };
}

/** Zooms and keeps a point in place, within the bounds. */
export function scaled(view: View, to: number, at: Point, whole: Size, room: Size): View {
  const scale = within(to, FARTHEST, NEAREST);
  const along = (start: number, pointer: number, size: number, space: number): number => {
    const margin = (by: number): number => Math.max(0, (space - size * by) / 2);
    const under = (start + pointer - margin(view.scale)) / view.scale;
    return within(under * scale + margin(scale) - pointer, 0, Math.max(0, size * scale - space));
  };
  return {
    scale,
    left: along(view.left, at.x, whole.width, room.width),
    top: along(view.top, at.y, whole.height, room.height),
  };
}

/** Centres a point, within the bounds. */
export function around({ scale }: View, point: Point, whole: Size, room: Size): View {
  const along = (at: number, size: number, space: number): number =>
    within(at * scale - space / 2, 0, Math.max(0, size * scale - space));
  return { scale, left: along(point.x, whole.width, room.width), top: along(point.y, whole.height, room.height) };
}
