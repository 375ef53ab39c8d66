/** The order of the list. Empty values come last in both directions. Pure. */
import type { Bead, BeadId } from "../../generated/api";
import type { ListColumn, Sort } from "../../state/beads-layout";
import { shapeOf, type StatusShape } from "../../words/bead-status";

export interface SortFacts {
  sessions: (id: BeadId) => number;
  /** The title of the bead's epic. */
  epic: (bead: Bead) => string;
}

type Key = string | number | null;

const STATUSES: Record<StatusShape, number> = {
  in_progress: 0,
  in_review: 1,
  open: 2,
  blocked: 3,
  deferred: 4,
  closed: 5,
};
const NAMES = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Whether the first click on a column's head sorts in descending order: the most recent or largest first. */
export function startsDown(column: ListColumn): boolean {
  return column === "updated" || column === "created" || column === "sessions" || column === "estimate";
}

export function sorted(beads: readonly Bead[], { by, down }: Sort, facts: SortFacts): Bead[] {
  const key = keyOf(by, facts);
  const keyed = beads.map((bead) => ({ bead, key: key(bead), updated: bead.updated_at ?? "" }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) {
      if (a.key !== b.key) return a.key === null ? 1 : -1;
    } else {
      const order = compared(a.key, b.key);
      if (order !== 0) return down ? -order : order;
    }
    if (a.bead.priority !== b.bead.priority) return a.bead.priority - b.bead.priority;
    if (a.updated !== b.updated) return a.updated < b.updated ? 1 : -1;
    return NAMES.compare(a.bead.id, b.bead.id);
  });
  return keyed.map(({ bead }) => bead);
}

function compared(a: string | number, b: string | number): number {
  return typeof a === "number" && typeof b === "number" ? a - b : NAMES.compare(String(a), String(b));
}

function keyOf(column: ListColumn, { sessions, epic }: SortFacts): (bead: Bead) => Key {
  const time = (value: string | undefined): Key => {
    const at = Date.parse(value ?? "");
    return Number.isNaN(at) ? null : at;
  };
  const text = (value: string | undefined): Key => value || null;
  switch (column) {
    case "id":
      return ({ id }) => id;
    case "title":
      return ({ title }) => text(title);
    case "status":
      return (bead) => STATUSES[shapeOf(bead)];
    case "priority":
      return ({ priority }) => priority;
    case "type":
      return ({ issue_type }) => issue_type;
    case "assignee":
      return ({ assignee }) => text(assignee);
    case "labels":
      return ({ labels }) => text(labels.join(" "));
    case "epic":
      return (bead) => text(epic(bead));
    case "updated":
      return (bead) => time(bead.updated_at);
    case "created":
      return (bead) => time(bead.created_at);
    case "due":
      return (bead) => time(bead.due_at);
    case "estimate":
      return ({ estimated_minutes }) => estimated_minutes || null;
    case "sessions":
      return ({ id }) => sessions(id) || null;
  }
}
