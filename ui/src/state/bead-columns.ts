/** The columns of a board, and the order of beads in them. */
import type { Bead } from "../generated/api";

export type ColumnId = "blocked" | "ready" | "in_progress" | "in_review" | "closed";

export const COLUMNS: { id: ColumnId; name: string }[] = [
  { id: "blocked", name: "Blocked" },
  { id: "ready", name: "Ready" },
  { id: "in_progress", name: "In progress" },
  { id: "in_review", name: "In review" },
  { id: "closed", name: "Closed" },
];

/** The column of a bead; null for deleted and pinned beads. */
export function columnOf(bead: Bead): ColumnId | null {
  switch (bead.status) {
    case "tombstone":
    case "pinned":
      return null;
    case "closed":
    case "in_review":
    case "in_progress":
      return bead.status;
    default:
      return bead.ready ? "ready" : "blocked";
  }
}

/** By priority, then oldest first: the order of lists and of most columns. */
export function byUrgency(a: Bead, b: Bead): number {
  return a.priority - b.priority || byTime(a.created_at, b.created_at) || byText(a.id, b.id);
}

/** Most recently closed first. */
export function byClosing(a: Bead, b: Bead): number {
  return byTime(b.closed_at, a.closed_at) || byText(a.id, b.id);
}

export const ORDER: Record<ColumnId, (a: Bead, b: Bead) => number> = {
  blocked: byUrgency,
  ready: byUrgency,
  in_progress: byUrgency,
  in_review: byUrgency,
  closed: byClosing,
};

/** Compares times as texts if both are in UTC, as nearly all are: parsing would take longer than sorting. */
function byTime(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  if (a.endsWith("Z") && b.endsWith("Z")) return byText(a, b);
  return Date.parse(a) - Date.parse(b) || byText(a, b);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
