import { expect, it } from "vitest";
import { panOf } from "../../components/graph-navigation";
import { around, fitted, pinched, scaled, stepped, turned, type View } from "./graph-view";

const WHOLE = { width: 3000, height: 2000 };
const ROOM = { width: 800, height: 500 };
/** The point of the drawing at a point of the viewport. */
function under(view: View, x: number, y: number) {
  const margin = (size: number, space: number) => Math.max(0, (space - size * view.scale) / 2);
  return [
    (view.left + x - margin(WHOLE.width, ROOM.width)) / view.scale,
    (view.top + y - margin(WHOLE.height, ROOM.height)) / view.scale,
  ];
}

it("zooming keeps the point under the pointer in place", () => {
  const view = { scale: 1, left: 900, top: 700 };
  for (const to of [1.25, 2, 0.8, 0.5]) {
    const [x, y] = under(scaled(view, to, { x: 300, y: 200 }, WHOLE, ROOM), 300, 200);
    expect(x).toBeCloseTo(1200);
    expect(y).toBeCloseTo(900);
  }
});

it("the view stays inside the drawing", () => {
  const corner = scaled({ scale: 2, left: 5200, top: 3500 }, 0.5, { x: 0, y: 0 }, WHOLE, ROOM);
  expect(corner).toEqual({ scale: 0.5, left: 700, top: 500 });
  // A drawing smaller than the viewport is centred and does not scroll.
  expect(scaled(corner, 0.1, { x: 799, y: 499 }, WHOLE, ROOM)).toEqual({ scale: 0.1, left: 0, top: 0 });
  // Zooming in again keeps the point of the drawing under the pointer.
  const back = scaled({ scale: 0.1, left: 0, top: 0 }, 1, { x: 400, y: 250 }, WHOLE, ROOM);
  expect(back).toEqual({ scale: 1, left: 1100, top: 750 });
});

it("zoom to fit shows everything and never enlarges", () => {
  const { scale } = fitted(WHOLE, ROOM);
  expect(WHOLE.width * scale <= ROOM.width && WHOLE.height * scale <= ROOM.height).toBe(true);
  expect(WHOLE.height * (scale + 0.002)).toBeGreaterThan(ROOM.height);
  expect(fitted({ width: 300, height: 100 }, ROOM).scale).toBe(1);
  expect(fitted({ width: 0, height: 0 }, ROOM).scale).toBe(1);
  expect(fitted({ width: 1e6, height: 10 }, ROOM).scale).toBe(0.02);
});

it("zoom levels are the same in both directions and limited", () => {
  const up = [0.02];
  for (let next = stepped(0.02, 1); next !== up.at(-1); next = stepped(next, 1)) up.push(next);
  expect(up.at(-1)).toBe(2);
  const down = [2];
  for (let next = stepped(2, -1); next !== down.at(-1); next = stepped(next, -1)) down.push(next);
  expect(down.reverse()).toEqual(up);
  expect([stepped(0.9, 1), stepped(0.9, -1)]).toEqual([1, 0.8]);
});

it("the wheel zooms equally in every delta mode, with a limit per event", () => {
  const by = (deltaY: number, deltaMode = 0) => turned(1, { deltaY, deltaMode });
  expect(by(-16)).toBeCloseTo(by(-1, 1));
  expect(by(-4)).toBeGreaterThan(1);
  expect(by(4)).toBeLessThan(1);
  expect(by(4) * by(-4)).toBeCloseTo(1);
  expect(by(-1e9)).toBeLessThan(1.7);
  expect(turned(2, { deltaY: -50, deltaMode: 0 })).toBe(2);
  expect(turned(0.02, { deltaY: 50, deltaMode: 0 })).toBe(0.02);
});

it("doubling the distance of two fingers doubles the zoom", () => {
  expect(pinched(0.5, 100, 200)).toBe(1);
  expect(pinched(1, 0, 200)).toBe(1);
  expect(pinched(1, 10, 9000)).toBe(2);
});

it("an arrow key pans the view", () => {
  expect([panOf("ArrowLeft"), panOf("ArrowDown"), panOf("a")]).toEqual([{ x: -80, y: 0 }, { x: 0, y: 80 }, null]);
});

it("centres a point, within the bounds of the drawing", () => {
  const view = { scale: 1, left: 0, top: 0 };
  expect(around(view, { x: 1500, y: 1000 }, WHOLE, ROOM)).toEqual({ scale: 1, left: 1100, top: 750 });
  expect(around(view, { x: 10, y: 1990 }, WHOLE, ROOM)).toEqual({ scale: 1, left: 0, top: 1500 });
  expect(around({ ...view, scale: 0.1 }, { x: 1500, y: 1000 }, WHOLE, ROOM)).toEqual({ scale: 0.1, left: 0, top: 0 });
});
