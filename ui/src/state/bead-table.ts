/**
 * The beads of a project with their order, columns and counts. An update of a few beads inserts them without sorting
 * all beads again. Columns without a changed bead stay the same objects, so that their views are not drawn again.
 */
import type { Bead, BeadId } from "../generated/api";
import { isAgent } from "../words/people";
import { byUrgency, columnOf, COLUMNS, ORDER, type ColumnId } from "./bead-columns";

/** Changed beads; null for removed ones. */
export type Changes = ReadonlyMap<BeadId, Bead | null>;
export type Columns = Record<ColumnId, Bead[]>;
export type ChildCount = { readonly all: number; readonly closed: number };

/** Up to this many changes are inserted one by one; with more, everything is sorted again. */
const MAX_SINGLE = 200;

export class BeadTable {
  list: Bead[] = [];
  columns: Columns = { blocked: [], ready: [], in_progress: [], in_review: [], closed: [] };
  /** The number of children of each parent, and how many are closed. */
  childrenOf: ReadonlyMap<BeadId, ChildCount> = new Map();
  labels: string[] = [];
  assignees: string[] = [];

  readonly #byId = new Map<BeadId, Bead>();
  readonly #labels = new Map<string, number>();
  readonly #assignees = new Map<string, number>();

  get(id: BeadId): Bead | undefined {
    return this.#byId.get(id);
  }

  byId(): Map<BeadId, Bead> {
    return new Map(this.#byId);
  }

  /** Applies changes. Returns false if nothing differs. */
  apply(changes: Changes): boolean {
    const changed: { before: Bead | undefined; after: Bead | null }[] = [];
    for (const [id, after] of changes) {
      const before = this.#byId.get(id);
      if (before === (after ?? undefined)) continue;
      changed.push({ before, after });
      if (after) this.#byId.set(id, after);
      else this.#byId.delete(id);
    }
    if (changed.length === 0) return false;
    const children = new Map(this.childrenOf);
    for (const { before, after } of changed) {
      if (before) this.#count(before, -1, children);
      if (after) this.#count(after, 1, children);
    }
    this.childrenOf = children;
    this.labels = names(this.#labels, this.labels);
    this.assignees = names(this.#assignees, this.assignees);
    if (changed.length > MAX_SINGLE) {
      this.#sortAll();
      return true;
    }
    const list = this.list.slice();
    const columns = { ...this.columns };
    /** A copy of a column, made at its first change. */
    const column = (id: ColumnId): Bead[] =>
      columns[id] === this.columns[id] ? (columns[id] = columns[id].slice()) : columns[id];
    for (const { before, after } of changed) {
      const [from, to] = [before && columnOf(before), after && columnOf(after)];
      replace(list, before, after, byUrgency);
      if (from && from === to) replace(column(from), before, after, ORDER[from]);
      else {
        if (from) replace(column(from), before, null, ORDER[from]);
        if (to) replace(column(to), undefined, after, ORDER[to]);
      }
    }
    this.list = list;
    this.columns = columns;
    return true;
  }

  #sortAll(): void {
    const list = [...this.#byId.values()].sort(byUrgency);
    const columns: Columns = { blocked: [], ready: [], in_progress: [], in_review: [], closed: [] };
    for (const bead of list) {
      const column = columnOf(bead);
      if (column) columns[column].push(bead);
    }
    columns.closed.sort(ORDER.closed);
    for (const { id } of COLUMNS) {
      if (areSame(columns[id], this.columns[id])) columns[id] = this.columns[id];
    }
    this.list = list;
    this.columns = columns;
  }

  #count(bead: Bead, by: 1 | -1, children: Map<BeadId, ChildCount>): void {
    for (const label of bead.labels) add(this.#labels, label, by);
    if (bead.assignee && !isAgent(bead.assignee)) add(this.#assignees, bead.assignee, by);
    if (!bead.parent) return;
    const counts = children.get(bead.parent) ?? { all: 0, closed: 0 };
    const [all, closed] = [counts.all + by, counts.closed + (bead.status === "closed" ? by : 0)];
    if (all === 0) children.delete(bead.parent);
    else children.set(bead.parent, { all, closed });
  }
}

function add(counts: Map<string, number>, name: string, by: number): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}

function names(counts: ReadonlyMap<string, number>, before: string[]): string[] {
  if (before.length === counts.size && before.every((name) => counts.has(name))) return before;
  return [...counts.keys()].sort();
}

/** Replaces, inserts or removes a bead in a sorted list. */
function replace(
  list: Bead[],
  before: Bead | undefined,
  after: Bead | null,
  order: (a: Bead, b: Bead) => number,
): void {
  const at = before ? placeOf(list, before, order) : -1;
  if (before && after && order(before, after) === 0) {
    list[at] = after;
    return;
  }
  if (before) list.splice(at, 1);
  if (after) list.splice(placeOf(list, after, order), 0, after);
}

/** The index of the bead in a sorted list, or the index at which to insert it. */
function placeOf(list: Bead[], bead: Bead, order: (a: Bead, b: Bead) => number): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = list[middle];
    if (other && order(other, bead) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

function areSame(a: Bead[], b: Bead[]): boolean {
  return a.length === b.length && a.every((bead, at) => bead === b[at]);
}
