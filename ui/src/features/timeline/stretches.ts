/**
 * Lays out a session's time as a strip and as a list. A week must be readable: pauses and long waits have a fixed
 * width, and tiny segments and overlapping events are merged. Pure.
 */
import type { BandKind, Timeline, TimelineBand, TimelineEvent } from "../../generated/api";
import { date, day } from "../../words/time";
import { kindOf, type Group } from "./kinds";

const MINUTE = 60_000;
/** Waits of at least this length, in milliseconds, are drawn at a fixed width. */
export const LONG_WAIT = 30 * MINUTE;
/** Segments shorter than the strip divided by this number are merged. */
const PARTS = 400;
/** The minimum width of an hour in pixels; a strip that needs more room scrolls. */
const MIN_HOUR = 60;
const MAX_WIDTH = 8000;
/** Events closer than this are merged into one mark, in pixels. */
const MERGE_DISTANCE = 7;
/** Shorter waits are not listed, in milliseconds. */
const MIN_LISTED = 2 * MINUTE;

export interface Tick {
  /** The position within the segment, from 0 to 1. */
  share: number;
  /** In order of time. */
  events: TimelineEvent[];
  /** The event that represents the mark. */
  event: TimelineEvent;
}

export interface Segment {
  kind: BandKind;
  from: number;
  to: number;
  reason: string | null;
  /** Whether the segment is drawn at a fixed width, not to scale. */
  short: boolean;
  ticks: Tick[];
  /** The day that starts with this segment, if the strip spans several; otherwise empty. */
  day: string;
}

export interface Strip {
  segments: Segment[];
  /** The minimum width in pixels; narrower views scroll. */
  wide: number;
}

export function stripOf({ bands, events }: Timeline, now: number): Strip {
  const parts = bands.map((band) => segmentOf(band, now));
  const total = lengthOf(parts.filter(({ short }) => !short));
  const segments = merged(parts, total / PARTS);
  const wide = Math.min(
    MAX_WIDTH,
    Math.round((total / (60 * MINUTE)) * MIN_HOUR) + segments.filter(({ short }) => short).length * 16,
  );
  const slot = (total / Math.max(wide, 480)) * MERGE_DISTANCE;
  const ordered = [...events].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  let next = 0;
  for (const [n, segment] of segments.entries()) {
    const last = n === segments.length - 1;
    const own: TimelineEvent[] = [];
    for (let event = ordered[next]; event && (last || Date.parse(event.at) < segment.to); event = ordered[++next])
      own.push(event);
    segment.ticks = ticksOf(own, segment, segment.short ? Infinity : slot);
  }
  nameDays(segments, now);
  return { segments, wide };
}

/** Names the days, if there are several: each at its first segment that is not a pause. */
function nameDays(segments: readonly Segment[], now: number): void {
  const worked = segments
    .filter(({ kind }) => kind !== "paused")
    .map((segment) => ({ segment, name: date(new Date(segment.from).toISOString(), now) }));
  if (new Set(worked.map(({ name }) => name)).size < 2) return;
  let before = "";
  for (const { segment, name } of worked) {
    if (name !== before) segment.day = name;
    before = name;
  }
}

function segmentOf({ kind, from, to, reason }: TimelineBand, now: number): Segment {
  const begin = Date.parse(from);
  const end = Math.max(begin, to === null ? now : Date.parse(to));
  return {
    kind,
    from: begin,
    to: end,
    reason,
    short: kind === "paused" || (kind === "waiting" && end - begin >= LONG_WAIT),
    ticks: [],
    day: "",
  };
}

/** Merges runs of segments below `least` milliseconds into one of their dominant kind, except those of a fixed
 * width. */
function merged(segments: readonly Segment[], least: number): Segment[] {
  const list: Segment[] = [];
  let run: Segment[] = [];
  const close = () => {
    const [first, last] = [run[0], run.at(-1)];
    if (!first || !last) return;
    const time = new Map<BandKind, number>();
    for (const { kind, from, to } of run) time.set(kind, (time.get(kind) ?? 0) + to - from);
    const kind = [...time].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
    list.push(run.length === 1 ? first : { ...first, kind, to: last.to, reason: null });
    run = [];
  };
  for (const segment of segments) {
    if (segment.short || segment.to - segment.from >= least) {
      close();
      list.push({ ...segment });
      continue;
    }
    run.push(segment);
    if (segment.to - (run[0]?.from ?? segment.from) >= least) close();
  }
  close();
  return list;
}

function ticksOf(events: readonly TimelineEvent[], { from, to }: Segment, slot: number): Tick[] {
  const ticks: Tick[] = [];
  let since = -Infinity;
  for (const event of events) {
    const at = Date.parse(event.at);
    const last = ticks.at(-1);
    if (last && at - since < slot) {
      last.events.push(event);
      if (kindOf(event.kind).weight > kindOf(last.event.kind).weight) last.event = event;
      continue;
    }
    since = at;
    ticks.push({ share: to > from ? Math.min(1, Math.max(0, (at - from) / (to - from))) : 0, events: [event], event });
  }
  return ticks;
}

export type Line =
  | { kind: "day"; key: string; name: string }
  | { kind: "band"; key: string; at: number; band: BandKind; ms: number; reason: string | null; open: boolean }
  | { kind: "event"; key: string; at: number; event: TimelineEvent };

/** The timeline as lines grouped by day. A filter by event group also leaves out the states. */
export function linesOf({ bands, events }: Timeline, now: number, group: Group | "all"): Line[] {
  const entries: (Exclude<Line, { kind: "day" }> & { order: number })[] = [];
  events.forEach((event, n) => {
    if (group === "all" || kindOf(event.kind).group === group)
      entries.push({ kind: "event", key: `event ${n}`, at: Date.parse(event.at), event, order: n });
  });
  if (group === "all") {
    bands.forEach((band, n) => {
      const { from, to } = segmentOf(band, now);
      const worth = band.kind === "paused" || (band.kind === "waiting" && to - from >= MIN_LISTED);
      // A band is listed after simultaneous events, which caused it.
      if (worth)
        entries.push({
          kind: "band",
          key: `band ${n}`,
          at: from,
          band: band.kind,
          ms: to - from,
          reason: band.reason,
          open: band.to === null,
          order: Infinity,
        });
    });
  }
  entries.sort((a, b) => a.at - b.at || a.order - b.order);
  let today = "";
  return entries.flatMap(({ order: _order, ...line }): Line[] => {
    const name = day(new Date(line.at).toISOString(), now);
    if (name === today) return [line];
    today = name;
    return [{ kind: "day", key: `day ${name} ${line.key}`, name }, line];
  });
}

/** The total time per state, in legend order. */
export function sumsOf({ bands }: Timeline, now: number): { kind: BandKind; ms: number }[] {
  const parts = bands.map((band) => segmentOf(band, now));
  const kinds: BandKind[] = ["working", "waiting", "active", "paused"];
  return kinds
    .map((kind) => ({ kind, ms: lengthOf(parts.filter((part) => part.kind === kind)) }))
    .filter(({ ms }) => ms > 0);
}

function lengthOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { from, to }) => sum + to - from, 0);
}
