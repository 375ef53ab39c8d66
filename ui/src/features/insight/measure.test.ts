import { describe, expect, it } from "vitest";
import { weekday } from "../../words/time";
import { labelledDays, sharesOf } from "./measure";

describe("shares", () => {
  const figures = [
    { sessions: 4, tokens: 0, cost_usd: null },
    { sessions: 1, tokens: 0, cost_usd: 2 },
  ];

  it("add up to the whole", () => {
    expect(sharesOf(figures, "sessions")).toEqual([0.8, 0.2]);
    expect(sharesOf(figures, "cost_usd")).toEqual([0, 1]);
  });

  it("are zero without a value", () => {
    expect([sharesOf(figures, "tokens"), sharesOf([], "sessions")]).toEqual([[0, 0], []]);
  });
});

describe("a chart's days", () => {
  it("are labelled in any time zone", () => {
    expect(weekday("2026-11-20")).toBe("Fri 20 Nov");
  });

  it("have labels at equal distances, and always one for the last day", () => {
    expect(labelledDays(7, 10)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(labelledDays(30, 5)).toEqual([5, 11, 17, 23, 29]);
    expect(labelledDays(1, 5)).toEqual([0]);
    expect(labelledDays(0, 5)).toEqual([]);
  });
});
