/** How a project's beads are shown: the view, the query, the list's columns and order, and the saved views. */
import type { ColumnId } from "./beads.svelte";
import { readBoardOptions, record, type GroupBy } from "./board-options";

export const BEAD_VIEWS = [
  { id: "board", name: "Board" },
  { id: "list", name: "List" },
  { id: "graph", name: "Graph" },
  { id: "epics", name: "Epics" },
] as const;
export type BeadView = (typeof BEAD_VIEWS)[number]["id"];

/** The columns of the list; `width` is the initial width in pixels. */
export const LIST_COLUMNS = [
  { id: "id", name: "ID", width: 76 },
  { id: "title", name: "Title", width: 312 },
  { id: "status", name: "Status", width: 122 },
  { id: "priority", name: "Priority", width: 70 },
  { id: "type", name: "Type", width: 88 },
  { id: "assignee", name: "Assignee", width: 124 },
  { id: "labels", name: "Labels", width: 120 },
  { id: "epic", name: "Epic", width: 140 },
  { id: "updated", name: "Updated", width: 70 },
  { id: "created", name: "Created", width: 76 },
  { id: "due", name: "Due", width: 76 },
  { id: "estimate", name: "Estimate", width: 84 },
  { id: "sessions", name: "Sessions", width: 74 },
] as const;
export type ListColumn = (typeof LIST_COLUMNS)[number]["id"];

export interface Sort {
  by: ListColumn;
  /** Whether the order is descending. */
  down: boolean;
}

export interface BeadsLayout {
  view: BeadView;
  query: string;
  sort: Sort;
  columns: readonly ListColumn[];
  widths: Partial<Record<ListColumn, number>>;
  /** Whether the graph highlights the critical path. */
  path: boolean;
  /** Whether the graph includes closed beads. */
  closed: boolean;
  saved: readonly SavedView[];
  /** The open saved view; null for none. */
  open: string | null;
}

/** What a saved view restores. `group` and `hidden` are the board's own options. */
export interface ViewState extends Pick<BeadsLayout, "view" | "query" | "sort" | "columns"> {
  group: GroupBy;
  hidden: readonly ColumnId[];
}

export interface SavedView extends ViewState {
  id: string;
  name: string;
}

const FIRST_COLUMNS: ListColumn[] = [
  "id",
  "title",
  "status",
  "priority",
  "type",
  "assignee",
  "labels",
  "updated",
  "sessions",
];
const FIRST_SORT: Sort = { by: "priority", down: false };
const NARROWEST = 48;
const WIDEST = 1200;
/** These limits keep a project's layout below its maximum size of 16 KiB. */
export const MOST_SAVED = 16;
export const LONGEST_NAME = 60;
const LONGEST_QUERY = 400;

/** Validates a stored layout field by field. */
export function readBeadsLayout(stored: unknown): BeadsLayout {
  const all = record(stored);
  const saved = (Array.isArray(all["saved"]) ? all["saved"] : []).slice(0, MOST_SAVED).flatMap(readSaved);
  return {
    ...readShown(all),
    widths: readWidths(all["widths"]),
    path: all["path"] !== false,
    closed: all["closed"] === true,
    saved,
    open: saved.find(({ id }) => id === all["open"])?.id ?? null,
  };
}

function readSaved(stored: unknown): SavedView[] {
  const all = record(stored);
  const { id, name } = all;
  const { group, hidden } = readBoardOptions(all);
  if (typeof id !== "string" || typeof name !== "string" || name === "") return [];
  return [{ id, name: name.slice(0, LONGEST_NAME), ...readShown(all), group, hidden }];
}

function readShown({ view, query, sort, columns }: Record<string, unknown>) {
  const { by, down } = record(sort);
  const column = LIST_COLUMNS.find((one) => one.id === by)?.id;
  const shown = chosen(LIST_COLUMNS, columns);
  return {
    view: BEAD_VIEWS.find((one) => one.id === view)?.id ?? "board",
    query: typeof query === "string" ? query.slice(0, LONGEST_QUERY) : "",
    sort: column ? { by: column, down: down === true } : FIRST_SORT,
    columns: shown.includes("title") ? shown : FIRST_COLUMNS,
  };
}

function readWidths(stored: unknown): Partial<Record<ListColumn, number>> {
  const widths: Partial<Record<ListColumn, number>> = {};
  for (const { id } of LIST_COLUMNS) {
    const width = record(stored)[id];
    if (typeof width === "number" && Number.isFinite(width)) widths[id] = widthWithin(width);
  }
  return widths;
}

export function widthWithin(width: number): number {
  return Math.round(Math.min(Math.max(width, NARROWEST), WIDEST));
}

/** The known IDs among the stored ones, without duplicates, in their stored order. */
function chosen<Id extends string>(known: readonly { id: Id }[], stored: unknown): Id[] {
  const ids: unknown[] = Array.isArray(stored) ? stored : [];
  return [...new Set(ids)].flatMap((id) => known.find((one) => one.id === id)?.id ?? []);
}
