/** Values and labels of the charts. Pure. */
import type { BeadSessions, Day } from "../../generated/api";

/** Each value relative to the total, from 0 to 1. */
export function sharesOf<Of extends string>(figures: readonly Record<Of, number>[], measure: Of): number[] {
  const total = figures.reduce((sum, one) => sum + one[measure], 0);
  return figures.map((one) => (total > 0 ? one[measure] / total : 0));
}

/** The days with a label: at most `room`, at equal distances, the last day among them. */
export function labelledDays(days: number, room: number): number[] {
  const step = Math.max(1, Math.ceil(days / room));
  const labelled: number[] = [];
  for (let day = days - 1; day >= 0; day -= step) labelled.unshift(day);
  return labelled;
}

/** Cumulative sums: each series plus those before it. */
export function sumsOf(series: readonly (readonly number[])[]): number[][] {
  const sums: number[][] = [];
  for (const values of series) {
    const below = sums.at(-1);
    sums.push(values.map((value, n) => value + (below?.[n] ?? 0)));
  }
  return sums;
}

/** A figure compared with the period before. */
export interface Change {
  /** 1, -1, or 0 for no change. */
  sign: 1 | -1 | 0;
  /** Without the sign: `18%`, `0.3`. */
  text: string;
}

/** The change in percent; null if a value is unknown or the earlier one is 0. */
export function changeOf(now: number | null, before: number | null | undefined): Change | null {
  if (now === null || before == null || before === 0) return null;
  const percent = Math.round(((now - before) / before) * 100);
  return { sign: signOf(percent), text: `${Math.abs(percent)}%` };
}

/** The difference, with one digit after the point; null if a value is unknown. */
export function differenceOf(now: number | null, before: number | null | undefined): Change | null {
  if (now === null || before == null) return null;
  const difference = Math.round((now - before) * 10) / 10;
  return { sign: signOf(difference), text: Math.abs(difference).toFixed(1) };
}

function signOf(n: number): 1 | -1 | 0 {
  return n > 0 ? 1 : n < 0 ? -1 : 0;
}

/** The median over Monday to Friday; null without such a day. */
export function workingMedian(days: readonly Day[], value: (day: Day) => number): number | null {
  const weekday = ({ date }: Day) => new Date(`${date}T00:00:00Z`).getUTCDay();
  const working = days.filter((day) => weekday(day) >= 1 && weekday(day) <= 5).map(value);
  const sorted = working.sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The number of beads that took 1, 2, 3, 4, and 5 or more sessions. */
export function histogramOf(beads: readonly BeadSessions[]): { name: string; beads: number }[] {
  const count = (of: (sessions: number) => boolean) => beads.filter(({ sessions }) => of(sessions)).length;
  const exact = [1, 2, 3, 4].map((n) => ({ name: String(n), beads: count((sessions) => sessions === n) }));
  return [...exact, { name: "5+", beads: count((sessions) => sessions >= 5) }];
}
