import { expect, it } from "vitest";
import { PressGuard } from "./press-guard";

it("ignores presses for a moment after rows have moved, and not after rows were added at the end", () => {
  const rows = new PressGuard();
  rows.shows(["a", "b"], 0);
  expect(rows.ready(0)).toBe(true);
  rows.shows(["a", "b", "c"], 10);
  expect(rows.ready(10)).toBe(true);
  rows.shows(["b", "c"], 20);
  expect([rows.ready(20), rows.ready(360), rows.ready(380)]).toEqual([false, false, true]);
  rows.shows(["b", "c"], 390);
  expect(rows.ready(390), "nothing has changed").toBe(true);
  rows.shows(["new", "b", "c"], 1_000);
  expect(rows.ready(1_100)).toBe(false);
});
