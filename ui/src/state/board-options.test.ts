import { expect, it } from "vitest";
import { BOARD_OPTIONS, dismissed, readBoardOptions, readDismissals } from "./board-options";

it("reads stored options field by field", () => {
  const stored = {
    density: "compact",
    group: "epic",
    collapsed: ["closed", "x"],
    hidden: ["blocked"],
    limits: { ready: 5 },
  };
  expect(readBoardOptions(stored)).toEqual({ ...stored, collapsed: ["closed"] });
  for (const broken of [null, 7, "x", [], { density: 1, group: "x", collapsed: 3, hidden: {}, limits: [] }])
    expect(readBoardOptions(broken)).toEqual(BOARD_OPTIONS);
  const limits = { ready: 0, closed: -1, blocked: 1.5, in_review: "5", in_progress: 1000, x: 3 };
  expect(readBoardOptions({ limits }).limits).toEqual({});
});

it("never hides all columns", () => {
  const hidden = ["blocked", "ready", "in_progress", "in_review", "closed"];
  expect(readBoardOptions({ hidden }).hidden).toEqual([]);
});

it("keeps a dismissal for a day, and only as many as the layout has space for", () => {
  const now = 1_000_000_000_000;
  const day = 86_400_000;
  let kept = dismissed({ old: now - 1, fresh: now + 5 }, "BC-1", now);
  expect(kept).toEqual({ fresh: now + 5, "BC-1": now + day });
  for (let i = 0; i < 300; i++) kept = dismissed(kept, `BC-${i}`, now);
  expect(Object.keys(kept)).toHaveLength(100);
  expect(JSON.stringify(kept).length).toBeLessThan(8000);
  expect(readDismissals({ a: 1, b: "x" })).toEqual({ a: 1 });
});
