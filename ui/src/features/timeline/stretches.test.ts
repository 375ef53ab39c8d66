import { describe, expect, it } from "vitest";
import type { BandKind, Timeline, TimelineEvent } from "../../generated/api";
import { linesOf, stripOf, sumsOf } from "./stretches";

const START = new Date(2026, 10, 16, 9, 0, 0).getTime();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (ms: number) => new Date(START + ms).toISOString();
const happened = (ms: number, kind: TimelineEvent["kind"], label = ""): TimelineEvent => ({
  at: at(ms),
  kind,
  label,
  message: null,
});

/** A timeline of consecutive bands with these kinds and lengths. */
function timelineOf(parts: [kind: BandKind, ms: number][], events: TimelineEvent[] = []): Timeline {
  let now = 0;
  const bands = parts.map(([kind, ms]) => ({ kind, from: at(now), to: at((now += ms)), reason: null }));
  return { bands, events, warnings: [] };
}
const NOW = START + 5 * 24 * HOUR;

describe("session timeline strip", () => {
  it("collapses nights and long waits into breaks without losing work", () => {
    const week = timelineOf(
      [1, 2, 3, 4, 5].flatMap((): [BandKind, number][] => [
        ["working", 3 * HOUR],
        ["waiting", 2 * HOUR],
        ["working", HOUR],
        ["paused", 18 * HOUR],
      ]),
    );
    const { segments, wide } = stripOf(week, NOW);
    expect(segments.map(({ kind, short }) => `${kind}${short ? " |" : ""}`).slice(0, 4)).toEqual([
      "working",
      "waiting |",
      "working",
      "paused |",
    ]);
    expect(segments).toHaveLength(20);
    expect(segments.flatMap(({ day }) => day || [])).toEqual(["16 Nov", "17 Nov", "18 Nov", "19 Nov", "20 Nov"]);
    expect(wide).toBe(20 * 60 + 10 * 16);
  });

  it("limits thousands of short turns to visible parts of the same total length", () => {
    const turns = timelineOf(
      Array.from({ length: 6000 }, (_, n): [BandKind, number] => [n % 2 ? "waiting" : "working", n % 2 ? 2000 : 8000]),
    );
    const { segments } = stripOf(turns, NOW);
    expect(segments.length).toBeLessThanOrEqual(401);
    expect(segments.slice(0, -1).every(({ kind }) => kind === "working")).toBe(true);
    expect(segments.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(6000 * 5000);
  });

  it("places events in their stretch, and merges overlapping ones", () => {
    const day = timelineOf(
      [
        ["working", HOUR],
        ["paused", 10 * HOUR],
        ["working", HOUR],
      ],
      [
        happened(30 * MINUTE, "prompt"),
        happened(30 * MINUTE + 1000, "tool_failed"),
        happened(HOUR, "pause"),
        happened(11 * HOUR, "resume"),
        happened(12 * HOUR, "end"),
      ],
    );
    const { segments } = stripOf(day, NOW);
    expect(segments.every(({ day }) => day === "")).toBe(true);
    expect(
      segments.map(({ ticks }) => ticks.map(({ event, share, events }) => [event.kind, share, events.length])),
    ).toEqual([
      [["tool_failed", 0.5, 2]],
      [["pause", 0, 1]],
      [
        ["resume", 0, 1],
        ["end", 1, 1],
      ],
    ]);
  });

  it("extends open work until now, and has no negative time after a clock change", () => {
    const open = {
      ...timelineOf([["working", HOUR]]),
      bands: [{ kind: "working" as const, from: at(0), to: null, reason: null }],
    };
    expect(sumsOf(open, START + 2 * HOUR)).toEqual([{ kind: "working", ms: 2 * HOUR }]);
    const back = { ...open, bands: [{ kind: "working" as const, from: at(HOUR), to: at(0), reason: null }] };
    expect([sumsOf(back, NOW), stripOf(back, NOW).segments[0]?.ticks]).toEqual([[], []]);
  });

  it("is empty without data", () => {
    expect(stripOf(timelineOf([]), NOW)).toEqual({ segments: [], wide: 0 });
  });
});

describe("session timeline list", () => {
  const days = timelineOf(
    [
      ["working", HOUR],
      ["waiting", MINUTE],
      ["waiting", 10 * MINUTE],
      ["paused", 24 * HOUR],
      ["working", HOUR],
    ],
    [
      happened(0, "start"),
      happened(0, "prompt", "Do it"),
      happened(HOUR, "commit", "4be19c7 done"),
      happened(71 * MINUTE, "pause"),
      happened(24 * HOUR + 71 * MINUTE, "resume"),
    ],
  );
  const said = (group: Parameters<typeof linesOf>[2]) =>
    linesOf(days, NOW, group).map((line) =>
      line.kind === "day" ? line.name : line.kind === "band" ? `${line.band} ${line.ms / MINUTE}` : line.event.kind,
    );

  it("has days, events, pauses and long waits", () => {
    expect(said("all")).toEqual([
      "Monday 16 November",
      "start",
      "prompt",
      "commit",
      "waiting 10",
      "pause",
      "paused 1440",
      "Tuesday 17 November",
      "resume",
    ]);
  });

  it("filters by kind", () => {
    expect(said("commits")).toEqual(["Monday 16 November", "commit"]);
  });
});
