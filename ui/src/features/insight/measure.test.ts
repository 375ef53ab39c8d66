import { describe, expect, it } from "vitest";
import { weekday } from "../../words/time";
import { sharesOf } from "./measure";

describe("bars", () => {
  const figures = [
    { sessions: 4, tokens: 0, cost_usd: null },
    { sessions: 1, tokens: 0, cost_usd: 2 },
  ];

  it("are as high as their part of the largest", () => {
    expect(sharesOf(figures, "sessions")).toEqual([1, 0.25]);
    expect(sharesOf(figures, "cost_usd")).toEqual([0, 1]);
  });

  it("have no height where there is nothing", () => {
    expect([sharesOf(figures, "tokens"), sharesOf([], "sessions")]).toEqual([[0, 0], []]);
  });

  it("are named by their day, whatever the time zone", () => {
    expect(weekday("2026-11-20")).toBe("Fri 20 Nov");
  });
});
