/** What bars show, and how high. Pure. */
import type { Amount } from "../../generated/api";

export type Measure = "sessions" | "tokens" | "cost_usd";
type Figures = Pick<Amount, "tokens" | "cost_usd"> & { sessions: number };

/** Each one's part of the largest, from 0 to 1. */
export function sharesOf(figures: readonly Figures[], measure: Measure): number[] {
  const top = Math.max(0, ...figures.map((one) => one[measure] ?? 0));
  return figures.map((one) => (top > 0 ? (one[measure] ?? 0) / top : 0));
}

const DAY = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });

/** `Fri 20 Nov` for `2026-11-20`. */
export function labelOf(date: string): string {
  const at = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(at.getTime()) ? date : DAY.format(at).replace(",", "");
}
