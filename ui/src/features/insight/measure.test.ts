import { describe, expect, it } from "vitest";
import { weekday } from "../../words/time";
import { sharesOf } from "./measure";

describe("bars", () => {
  const figures = [
    { sessions: 4, tokens: 0, cost_usd: null },
    { sessions: 1, tokens: 0, cost_usd: 2 },
  ];

  it("scale to the largest value", () => {
    expect(sharesOf(figures, "sessions")).toEqual([1, 0.25]);
    expect(sharesOf(figures, "cost_usd")).toEqual([0, 1]);
  });

  it("have no height without a value", () => {
    expect([sharesOf(figures, "tokens"), sharesOf([], "sessions")]).toEqual([[0, 0], []]);
  });

  it("are labelled with their day in any time zone", () => {
    expect(weekday("2026-11-20")).toBe("Fri 20 Nov");
  });
});
