/** Values and labels of the charts. Pure. */
import type { Amount } from "../../generated/api";

export type Measure = "sessions" | "tokens" | "cost_usd";
type Figures = Pick<Amount, "tokens" | "cost_usd"> & { sessions: number };

/** Each value relative to the total, from 0 to 1. */
export function sharesOf(figures: readonly Figures[], measure: Measure): number[] {
  const total = figures.reduce((sum, one) => sum + (one[measure] ?? 0), 0);
  return figures.map((one) => (total > 0 ? (one[measure] ?? 0) / total : 0));
}

/** The days with a label: at most `room`, at equal distances, the last day among them. */
export function labelledDays(days: number, room: number): number[] {
  const step = Math.max(1, Math.ceil(days / room));
  const labelled: number[] = [];
  for (let day = days - 1; day >= 0; day -= step) labelled.unshift(day);
  return labelled;
}
