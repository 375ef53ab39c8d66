import { expect, it } from "vitest";
import { estimateText, minutesOf } from "./estimate";

it("reads and writes estimates", () => {
  expect(["", "90", "90m", "1.5h", "1 h 30 min", "2d"].map(minutesOf)).toEqual([0, 90, 90, 90, 90, 960]);
  expect(["soon", "3x", "-1", "h"].map(minutesOf)).toEqual([null, null, null, null]);
  expect([undefined, 45, 60, 90].map(estimateText)).toEqual(["", "45 min", "1 h", "1 h 30 min"]);
});
