/** Keyboard navigation and zoom, shared by the graph of beads and the graph of memories. Pure. */

export interface Point {
  x: number;
  y: number;
}
export interface Size {
  width: number;
  height: number;
}

/** The pixels by which an arrow key scrolls. */
const SCROLL_STEP = 80;
/** The change of zoom per wheel pixel, as an exponent. */
const ZOOM_RATE = 0.01;
/** The pixels of a line and of a page in wheel events. */
const LINE = 16;
const PAGE = 400;

export const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** The direction of an arrow key; undefined for other keys. */
function directionOf(key: string): Point | undefined {
  const directions: Record<string, Point> = {
    ArrowLeft: { x: -1, y: 0 },
    ArrowRight: { x: 1, y: 0 },
    ArrowUp: { x: 0, y: -1 },
    ArrowDown: { x: 0, y: 1 },
  };
  return directions[key];
}

/** The scrolling by an arrow key, in pixels; null for other keys. */
export function panOf(key: string): Point | null {
  const to = directionOf(key);
  return to ? { x: to.x * SCROLL_STEP, y: to.y * SCROLL_STEP } : null;
}

/** The nearest node in the direction of an arrow key; undefined if there is none. */
export function nextTo<Node extends Point>(nodes: readonly Node[], from: Point, key: string): Node | undefined {
  const to = directionOf(key);
  if (!to) return undefined;
  let best: { node: Node; far: number } | undefined;
  for (const node of nodes) {
    const [across, down] = [node.x - from.x, node.y - from.y];
    const along = across * to.x + down * to.y;
    if (along <= 0) continue;
    const aside = Math.abs(across * to.y) + Math.abs(down * to.x);
    const far = along + 2 * aside;
    if (!best || far < best.far) best = { node, far };
  }
  return best?.node;
}

/** The next of the ascending zoom levels; undefined after the last one. */
export function nextLevel(levels: readonly number[], scale: number, by: 1 | -1): number | undefined {
  // Zooming with the wheel ends between levels.
  const near = 0.001;
  return by === 1 ? levels.find((one) => one > scale + near) : levels.findLast((one) => one < scale - near);
}

/** The factor by which a wheel event zooms. Touchpads report pinching as wheel events with Ctrl. */
export function wheelFactor({ deltaY, deltaMode }: Pick<WheelEvent, "deltaY" | "deltaMode">): number {
  const pixels = deltaY * (deltaMode === 1 ? LINE : deltaMode === 2 ? PAGE : 1);
  return Math.exp(within(-pixels * ZOOM_RATE, -0.5, 0.5));
}
