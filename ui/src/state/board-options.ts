/** The board's own options in a project's layout, and the dismissed badges of stale beads. */
import type { BeadId } from "../generated/api";
import { COLUMNS, type ColumnId } from "./bead-columns";

export type Density = "comfortable" | "compact";
export type GroupBy = "none" | "epic" | "assignee" | "priority";

export interface BoardOptions {
  density: Density;
  group: GroupBy;
  collapsed: readonly ColumnId[];
  hidden: readonly ColumnId[];
  /** The limit of each column; exceeding it only changes the colour of the count. */
  limits: Partial<Record<ColumnId, number>>;
}

export const BOARD_OPTIONS: BoardOptions = {
  density: "comfortable",
  group: "none",
  collapsed: [],
  hidden: [],
  limits: {},
};

const COLUMN_IDS = COLUMNS.map(({ id }) => id);
const GROUPS: readonly GroupBy[] = ["none", "epic", "assignee", "priority"];
export const MOST_LIMIT = 999;

/** Validates stored options field by field. */
export function readBoardOptions(stored: unknown): BoardOptions {
  const { density, group, collapsed, hidden, limits } = record(stored);
  const hides = columns(hidden);
  return {
    density: density === "compact" ? "compact" : "comfortable",
    group: GROUPS.find((known) => known === group) ?? "none",
    collapsed: columns(collapsed),
    // A board without columns would show nothing.
    hidden: hides.length < COLUMN_IDS.length ? hides : [],
    limits: Object.fromEntries(
      Object.entries(record(limits)).filter(([id, most]) => isColumn(id) && isLimit(most)),
    ) as BoardOptions["limits"],
  };
}

export function isLimit(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= MOST_LIMIT;
}

/** The time, in milliseconds since the epoch, at which the badge of a stale bead appears again. */
export type Dismissals = Readonly<Record<BeadId, number>>;

const DAY = 86_400_000;
/** Keeps the layout below its size limit of 16 KiB. */
const MOST_DISMISSALS = 100;

/** Adds a dismissal and removes expired ones. */
export function dismissed(before: Dismissals, id: BeadId, now: number): Dismissals {
  const current = Object.entries(before).filter(([other, until]) => other !== id && until > now);
  return Object.fromEntries([...current, [id, now + DAY]].slice(-MOST_DISMISSALS));
}

export function readDismissals(stored: unknown): Dismissals {
  const entries = Object.entries(record(stored)).filter(([, until]) => typeof until === "number");
  return Object.fromEntries(entries.slice(-MOST_DISMISSALS)) as Dismissals;
}

function isColumn(id: unknown): id is ColumnId {
  return COLUMN_IDS.some((known) => known === id);
}

function columns(value: unknown): ColumnId[] {
  return Array.isArray(value) ? COLUMN_IDS.filter((id) => value.includes(id)) : [];
}

/** The fields of an object; empty for any other value. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
