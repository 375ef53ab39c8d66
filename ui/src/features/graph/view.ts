/** The visible part of the graph: pan and zoom. Pure. */
import { nextLevel, wheelFactor, within, type Point, type Size } from "../../components/graph-navigation";

export interface View {
  /** The position of the graph's origin, in screen pixels. */
  x: number;
  y: number;
  scale: number;
}
export interface Box extends Point, Size {}

const LEVELS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2];
const FARTHEST = 0.03;
const NEAREST = 2;
/** The margin around the graph, in screen pixels. The top margin contains the step headings. */
export const MARGIN = { left: 20, top: 68, right: 20, bottom: 28 };

/** Zooms around a point on the screen. */
export function zoomed(view: View, to: number, at: Point): View {
  const scale = within(to, FARTHEST, NEAREST);
  const by = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by };
}

/** The next zoom level. */
export function stepped(scale: number, by: 1 | -1): number {
  return nextLevel(LEVELS, scale, by) ?? (by === 1 ? NEAREST : FARTHEST);
}

/** The zoom after a wheel event. */
export function turned(scale: number, event: Parameters<typeof wheelFactor>[0]): number {
  return within(scale * wheelFactor(event), FARTHEST, NEAREST);
}

export function fitted(whole: Size, room: Size): View {
  const scale = Math.min(
    1,
    (room.width - MARGIN.left - MARGIN.right) / Math.max(whole.width, 1),
    (room.height - MARGIN.top - MARGIN.bottom) / Math.max(whole.height, 1),
  );
  return { scale: within(scale, FARTHEST, 1), x: MARGIN.left, y: MARGIN.top };
}

/** The first view: the whole graph if it is legible, else a bead at the left. */
export function first(whole: Size, room: Size, start: Point = { x: 0, y: 0 }): View {
  const all = fitted(whole, room);
  if (all.scale >= LEGIBLE) return all;
  return { scale: 1, x: MARGIN.left - start.x, y: Math.min(MARGIN.top, room.height * 0.4 - start.y) };
}

/** Below this scale, beads are drawn as shapes. */
export const LEGIBLE = 0.55;

/** Limits panning, so that a part of the graph stays on screen. */
export function limited(view: View, whole: Size, room: Size): View {
  const left = 120;
  return {
    scale: view.scale,
    x: within(view.x, left - whole.width * view.scale, Math.max(room.width - left, MARGIN.left)),
    y: within(view.y, left - whole.height * view.scale, Math.max(room.height - left, MARGIN.top)),
  };
}

/** Centres a box unless it is on screen. */
export function revealed(view: View, box: Box, room: Size): View {
  const [left, top] = [view.x + box.x * view.scale, view.y + box.y * view.scale];
  const [right, bottom] = [left + box.width * view.scale, top + box.height * view.scale];
  const inside =
    left >= MARGIN.left && right <= room.width - MARGIN.right && top >= MARGIN.top && bottom <= room.height;
  if (inside) return view;
  return {
    scale: view.scale,
    x: room.width / 2 - (box.x + box.width / 2) * view.scale,
    y: room.height / 2 - (box.y + box.height / 2) * view.scale,
  };
}

/** The visible part in the graph's own coordinates, rounded outwards so that it changes rarely. */
export function shownBox(view: View, room: Size): Box {
  const CELL = 160;
  const left = Math.floor(-view.x / view.scale / CELL) * CELL;
  const top = Math.floor(-view.y / view.scale / CELL) * CELL;
  const right = Math.ceil((room.width - view.x) / view.scale / CELL) * CELL;
  const bottom = Math.ceil((room.height - view.y) / view.scale / CELL) * CELL;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
