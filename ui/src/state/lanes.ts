/** Groups inside the board's columns: by epic, assignee or priority. Pure. */
import type { Bead, BeadId } from "../generated/api";
import { isAgent } from "../words/people";
import type { GroupBy } from "./board-options";

export interface Lane {
  /** Identifies the group in all columns. */
  key: string;
  name: string;
  /** The epic, which a click on the header opens. */
  bead?: BeadId;
}

/** A header in a column, before the beads of its group. */
export interface LaneHead {
  lane: Lane;
  count: number;
}

export type Lookup = (id: BeadId) => Bead | undefined;

/** The maximum depth of nested parents; also ends a cycle of parents. */
const MAX_DEPTH = 20;

export function laneOf(bead: Bead, by: GroupBy, lookup: Lookup): Lane | null {
  switch (by) {
    case "none":
      return null;
    case "priority":
      return { key: String(bead.priority), name: `P${bead.priority}` };
    case "assignee": {
      const { assignee } = bead;
      if (!assignee) return { key: LAST_KEY, name: "Unassigned" };
      // Each session has its own actor, so all agents share one group.
      return isAgent(assignee) ? { key: "agents", name: "Agents" } : { key: `a ${assignee}`, name: assignee };
    }
    case "epic": {
      const epic = epicOf(bead, lookup);
      return epic
        ? { key: `e ${epic.priority} ${epic.id}`, name: epic.title, bead: epic.id }
        : { key: LAST_KEY, name: "No epic" };
    }
  }
}

/** Sorts after every other key. */
const LAST_KEY = "\uffff";

/** The nearest epic among a bead's ancestors, or else its topmost ancestor. */
function epicOf(bead: Bead, lookup: Lookup): Bead | undefined {
  let above: Bead | undefined;
  let next = bead.parent;
  for (let depth = 0; next !== undefined && depth < MAX_DEPTH; depth++) {
    const parent = lookup(next);
    if (!parent || parent.id === bead.id) break;
    above = parent;
    if (parent.issue_type === "epic") break;
    next = parent.parent;
  }
  return above;
}

/** Sorts the beads by group; within a group, the order stays. */
export function arranged(beads: Bead[], by: GroupBy, lookup: Lookup): Bead[] {
  return by === "none" ? beads : groupedBy(beads, by, lookup).flatMap((group) => group.beads);
}

/** The rows of a column: beads, with a header before each group. */
export function rowsOf(beads: Bead[], by: GroupBy, lookup: Lookup): (Bead | LaneHead)[] {
  if (by === "none") return beads;
  return groupedBy(beads, by, lookup).flatMap(({ lane, beads }) => [{ lane, count: beads.length }, ...beads]);
}

export function isHead(row: Bead | LaneHead): row is LaneHead {
  return "lane" in row;
}

function groupedBy(beads: Bead[], by: GroupBy, lookup: Lookup): { lane: Lane; beads: Bead[] }[] {
  const groups = new Map<string, { lane: Lane; beads: Bead[] }>();
  for (const bead of beads) {
    const lane = laneOf(bead, by, lookup);
    if (!lane) continue;
    const group = groups.get(lane.key);
    if (group) group.beads.push(bead);
    else groups.set(lane.key, { lane, beads: [bead] });
  }
  return [...groups.values()].sort((a, b) => (a.lane.key < b.lane.key ? -1 : 1));
}
