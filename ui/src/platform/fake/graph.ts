/** The graph of the sample beads: a simplified form of the engine's graph. */
import type { Bead, BeadGraph, BeadGraphParams, BeadId, GraphEdge, GraphNode } from "../../generated/api";
import { queried } from "./query-matches";

export function graphOf(
  all: readonly Bead[],
  known: readonly GraphEdge[],
  { query = "", closed = false }: BeadGraphParams,
  now: number,
): BeadGraph {
  const matching = new Set(queried(all, query, now).ids);
  const beads = all.filter(({ id, status }) => matching.has(id) && (closed || status !== "closed"));
  const ids = new Set(beads.map(({ id }) => id));
  const parts = all.flatMap(({ id, parent }): GraphEdge[] =>
    parent === undefined ? [] : [{ from: id, to: parent, kind: "parent-child" }],
  );
  const edges = [...known, ...parts].filter(({ from, to }) => ids.has(from) && ids.has(to));
  const blocking = edges.filter(({ kind }) => kind === "blocks");
  const after = new Map<BeadId, BeadId[]>();
  for (const { from, to } of blocking) after.set(to, [...(after.get(to) ?? []), from]);
  const nodes = beads.map(({ id, title, status, ready, priority, issue_type }): GraphNode => ({
    ...{ id, title, status, ready, priority, issue_type },
    unblocks_all: reached(id, after).size,
  }));
  return { nodes, edges, cycles: cyclesOf(ids, blocking), critical_path: longest(beads, after) };
}

function reached(id: BeadId, after: ReadonlyMap<BeadId, BeadId[]>): Set<BeadId> {
  const seen = new Set<BeadId>();
  const next = [...(after.get(id) ?? [])];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    if (at === id || seen.has(at)) continue;
    seen.add(at);
    next.push(...(after.get(at) ?? []));
  }
  return seen;
}

/** Finds only cycles of two beads, since the sample has no others. */
function cyclesOf(ids: ReadonlySet<BeadId>, edges: readonly GraphEdge[]): BeadId[][] {
  const pairs = new Set(edges.map(({ from, to }) => `${from} ${to}`));
  return edges
    .filter(({ from, to }) => from < to && ids.has(from) && pairs.has(`${to} ${from}`))
    .map(({ from, to }) => [from, to]);
}

function longest(beads: readonly Bead[], after: ReadonlyMap<BeadId, BeadId[]>): BeadId[] {
  const open = new Set(beads.filter(({ status }) => status !== "closed").map(({ id }) => id));
  const known = new Map<BeadId, BeadId[]>();
  const from = (id: BeadId, above: ReadonlySet<BeadId>): BeadId[] => {
    const before = known.get(id);
    if (before) return before;
    const inside = new Set(above).add(id);
    const rest = (after.get(id) ?? [])
      .filter((next) => open.has(next) && !inside.has(next))
      .map((next) => from(next, inside))
      .reduce<BeadId[]>((best, path) => (path.length > best.length ? path : best), []);
    const path = [id, ...rest];
    known.set(id, path);
    return path;
  };
  const best = [...open].map((id) => from(id, new Set())).reduce((a, b) => (b.length > a.length ? b : a), []);
  return best.length > 1 ? best : [];
}
