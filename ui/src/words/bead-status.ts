/** A bead's status as a shape and a word. Pure. */
import type { Bead } from "../generated/api";
import { statusWord } from "./ready";
import { capital } from "./text";

export type StatusShape = "open" | "blocked" | "deferred" | "in_progress" | "in_review" | "closed";

type Stated = Pick<Bead, "status" | "ready"> & Partial<Pick<Bead, "not_ready">>;

export function shapeOf({ status, ready, not_ready = [] }: Stated): StatusShape {
  if (status === "in_progress" || status === "in_review" || status === "closed") return status;
  if (ready) return "open";
  return status === "deferred" || not_ready[0]?.reason === "deferred" ? "deferred" : "blocked";
}

/** `Open`, `Open, blocked`, `In progress`. */
export function statusText(bead: Stated): string {
  const word = statusName(bead.status);
  if (bead.status !== "open" || bead.ready) return word;
  return `${word}, ${shapeOf(bead)}`;
}

/** `In progress` for `in_progress`. */
export function statusName(status: string): string {
  return capital(statusWord(status));
}
