/** Epics with the beads in them, and their progress. Pure. */
import type { Bead, BeadId } from "../../generated/api";

export interface Branch {
  bead: Bead;
  depth: number;
  /** The number of beads below that are not epics. */
  all: number;
  /** The closed ones among these. */
  closed: number;
  /** Those in progress or in review. */
  active: number;
  /** Whether the row can be opened: a child of the bead, or a bead below one, matches the query. */
  opens: boolean;
}

/**
 * The rows: each root, and its children if it is open. Roots are epics and other parents that have no known parent;
 * unfinished ones come first. `shows` tells whether a bead matches the query. A bead is shown if it or a bead below
 * it matches.
 */
export function branchesOf(
  list: readonly Bead[],
  shows: (bead: Bead) => boolean,
  isOpen: (id: BeadId) => boolean,
): Branch[] {
  const below = new Map<BeadId, Bead[]>();
  const known = new Set(list.map(({ id }) => id));
  for (const bead of list) {
    if (bead.parent === undefined || !known.has(bead.parent)) continue;
    const beads = below.get(bead.parent);
    if (beads) beads.push(bead);
    else below.set(bead.parent, [bead]);
  }
  const counts = new Map<BeadId, Pick<Branch, "all" | "closed" | "active"> & { any: boolean }>();
  const count = (bead: Bead, above: ReadonlySet<BeadId>) => {
    const known = counts.get(bead.id);
    if (known) return known;
    const inside = new Set(above).add(bead.id);
    const sum = { all: 0, closed: 0, active: 0, any: shows(bead) };
    for (const child of below.get(bead.id) ?? []) {
      // Ends a cycle of parents.
      if (inside.has(child.id)) continue;
      const its = count(child, inside);
      const own = child.issue_type === "epic" ? 0 : 1;
      sum.all += own + its.all;
      sum.closed += (own && child.status === "closed" ? 1 : 0) + its.closed;
      sum.active += (own && (child.status === "in_progress" || child.status === "in_review") ? 1 : 0) + its.active;
      sum.any ||= its.any;
    }
    counts.set(bead.id, sum);
    return sum;
  };

  const rows: Branch[] = [];
  const add = (bead: Bead, depth: number, above: ReadonlySet<BeadId>): void => {
    const { any, ...sum } = count(bead, above);
    if (!any || above.has(bead.id)) return;
    const inside = new Set(above).add(bead.id);
    const children = (below.get(bead.id) ?? []).filter((child) => !inside.has(child.id) && count(child, inside).any);
    rows.push({ bead, depth, ...sum, opens: children.length > 0 });
    if (isOpen(bead.id)) for (const child of children.sort(byState)) add(child, depth + 1, inside);
  };
  const isRoot = (bead: Bead) =>
    (bead.issue_type === "epic" || below.has(bead.id)) && (bead.parent === undefined || !known.has(bead.parent));
  for (const bead of list.filter(isRoot).sort(byState)) add(bead, 0, new Set());
  return rows;
}

/** Closed beads last and epics first, then by priority and ID. */
function byState(a: Bead, b: Bead): number {
  const closed = (bead: Bead) => (bead.status === "closed" ? 1 : 0);
  const epic = (bead: Bead) => (bead.issue_type === "epic" ? 0 : 1);
  return (
    closed(a) - closed(b) ||
    epic(a) - epic(b) ||
    a.priority - b.priority ||
    a.id.localeCompare(b.id, "en", { numeric: true })
  );
}
