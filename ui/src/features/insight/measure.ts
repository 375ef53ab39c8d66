/** The bars' metric and height. Pure. */
import type { Amount } from "../../generated/api";

export type Measure = "sessions" | "tokens" | "cost_usd";
type Figures = Pick<Amount, "tokens" | "cost_usd"> & { sessions: number };

/** Each value relative to the largest, from 0 to 1. */
export function sharesOf(figures: readonly Figures[], measure: Measure): number[] {
  const top = Math.max(0, ...figures.map((one) => one[measure] ?? 0));
  return figures.map((one) => (top > 0 ? (one[measure] ?? 0) / top : 0));
}
