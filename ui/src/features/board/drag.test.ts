import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Bead } from "../../generated/api";
import type { ColumnId } from "../../state/beads.svelte";
import { Drag, speed } from "./drag.svelte";

const BEAD: Bead = {
  id: "BC-1",
  title: "One",
  status: "open",
  priority: 2,
  issue_type: "task",
  labels: [],
  blocked_by: [],
  unblocks: [],
  ready: true,
};

let drag: Drag;
let dropped: [string, ColumnId][];
let below: ColumnId | null;

/** A pointer event; jsdom has none with coordinates. */
function pointer(
  type: string,
  x: number,
  y: number,
  more: MouseEventInit & { pointerType?: string } = {},
): PointerEvent {
  const { pointerType = "mouse", ...init } = more;
  const event = new MouseEvent(type, { clientX: x, clientY: y, buttons: 1, bubbles: true, cancelable: true, ...init });
  return Object.assign(event, { pointerId: 1, pointerType }) as unknown as PointerEvent;
}
const card = document.createElement("article");
const press = (more = {}) => drag.press(pointer("pointerdown", 10, 10, more), BEAD, card);
const moveTo = (x: number, y: number, column: ColumnId | null) => {
  below = column;
  window.dispatchEvent(pointer("pointermove", x, y));
};
const release = () => window.dispatchEvent(pointer("pointerup", 0, 0, { buttons: 0 }));

beforeEach(() => {
  dropped = [];
  below = null;
  document.elementFromPoint = () => {
    const column = document.createElement("section");
    if (below) column.dataset["column"] = below;
    return column;
  };
  drag = new Drag({
    moveOf: (_, to) =>
      to === "in_progress"
        ? { valid: true, effect: "claim", label: "Move to In progress" }
        : { valid: false, why: "Needs a commit first" },
    drop: ({ id }, to) => dropped.push([id, to]),
    board: () => undefined,
  });
});
afterEach(() => drag.cancel());

it("begins after a few pixels, so that a click stays a click", () => {
  press();
  moveTo(13, 12, "ready");
  expect(drag.card).toBeNull();
  release();
  press();
  moveTo(16, 12, "ready");
  expect(drag.card?.bead.id).toBe("BC-1");
});

it("finds the move to the column below the pointer, and carries out a valid one", () => {
  press();
  moveTo(300, 12, "in_review");
  expect([drag.over, drag.target]).toEqual(["in_review", { valid: false, why: "Needs a commit first" }]);
  moveTo(200, 12, "in_progress");
  expect(drag.target?.valid).toBe(true);
  release();
  expect(dropped).toEqual([["BC-1", "in_progress"]]);
  expect([drag.card, drag.over, drag.moves]).toEqual([null, null, null]);
});

it("drops nothing on an invalid column, or beside the columns", () => {
  for (const column of ["in_review", "ready", null] as const) {
    press();
    moveTo(300, 12, column);
    release();
  }
  expect(dropped).toEqual([]);
});

it("is cancelled by Escape, when the window loses the focus, and by a release outside the window", () => {
  const seen = vi.fn();
  document.body.addEventListener("keydown", seen);
  press();
  moveTo(300, 12, "in_progress");
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
  expect([drag.card, seen.mock.calls.length]).toEqual([null, 0]);
  release();
  press();
  moveTo(300, 12, "in_progress");
  window.dispatchEvent(new Event("blur"));
  expect(drag.card).toBeNull();
  press();
  moveTo(300, 12, "in_progress");
  window.dispatchEvent(pointer("pointermove", 300, 12, { buttons: 0 }));
  expect(drag.card).toBeNull();
  expect(dropped).toEqual([]);
  document.body.removeEventListener("keydown", seen);
});

it("ignores touch, other buttons, and a bead without a column", () => {
  press({ pointerType: "touch" });
  moveTo(300, 12, "in_progress");
  press({ button: 2 });
  moveTo(300, 12, "in_progress");
  drag.press(pointer("pointerdown", 10, 10), { ...BEAD, status: "pinned" }, card);
  moveTo(300, 12, "in_progress");
  expect(drag.card).toBeNull();
});

it("does not open the card with the click that follows a drop", async () => {
  const clicked = vi.fn();
  document.body.addEventListener("click", clicked);
  press();
  moveTo(300, 12, "in_progress");
  release();
  document.body.click();
  expect(clicked).not.toHaveBeenCalled();
  document.body.click();
  expect(clicked).toHaveBeenCalledTimes(1);
  document.body.removeEventListener("click", clicked);
});

it("scrolls faster the nearer the pointer is to an edge", () => {
  const box = { left: 0, right: 1000, top: 0, bottom: 500 } as DOMRect;
  expect(speed(500, box, "left", "right")).toBe(0);
  expect(speed(990, box, "left", "right")).toBeGreaterThan(speed(960, box, "left", "right"));
  expect(speed(2, box, "left", "right")).toBeLessThan(0);
  expect(speed(498, box, "top", "bottom")).toBeGreaterThan(0);
});
