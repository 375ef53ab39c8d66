import { describe, expect, it } from "vitest";
import { weekday } from "../../words/time";
import { changeOf, differenceOf, histogramOf, labelledDays, sharesOf, sumsOf, workingMedian } from "./measure";

describe("shares", () => {
  const figures = [
    { sessions: 4, tokens: 0 },
    { sessions: 1, tokens: 0 },
  ];

  it("add up to the whole", () => {
    expect(sharesOf(figures, "sessions")).toEqual([0.8, 0.2]);
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

describe("figures compared with the period before", () => {
  it("change by percent or by a number, and not without a period to compare with", () => {
    expect(changeOf(118, 100)).toEqual({ sign: 1, text: "18%" });
    expect(changeOf(94, 100)).toEqual({ sign: -1, text: "6%" });
    expect(changeOf(1001, 1000)).toEqual({ sign: 0, text: "0%" });
    expect([changeOf(3, 0), changeOf(3, null), changeOf(null, 3)]).toEqual([null, null, null]);
    expect(differenceOf(1.9, 2.2)).toEqual({ sign: -1, text: "0.3" });
  });
});

describe("charts", () => {
  it("stack series on each other", () => {
    const [bottom, middle, top] = [
      [1, 2],
      [10, 20],
      [100, 0],
    ];
    expect(sumsOf([bottom, middle, top] as number[][])).toEqual([
      [1, 2],
      [11, 22],
      [111, 22],
    ]);
  });

  it("show the median of working days", () => {
    const day = (date: string, sessions: number) => ({ date, sessions }) as Parameters<typeof workingMedian>[0][number];
    const days = [day("2026-11-20", 4), day("2026-11-21", 90), day("2026-11-22", 90), day("2026-11-23", 7)];
    expect(workingMedian(days, ({ sessions }) => sessions)).toBe(5.5);
    expect(workingMedian(days.slice(1, 3), ({ sessions }) => sessions)).toBeNull();
  });

  it("count beads by their sessions", () => {
    const beads = [1, 1, 2, 4, 5, 9].map((sessions, n) => ({ bead: `BC-${n}`, sessions }));
    expect(histogramOf(beads).map(({ name, beads }) => `${name}:${beads}`)).toEqual([
      "1:2",
      "2:1",
      "3:0",
      "4:1",
      "5+:2",
    ]);
  });
});
