/**
 * The part of a graph that is laid out: the blocking links, with the step of each bead, and without links that
 * close a cycle. Pure.
 */
import type { BeadGraph, BeadId, GraphEdge, GraphNode } from "../../generated/api";

export interface Link {
  /** The blocker. */
  from: BeadId;
  /** The bead that waits for the blocker. */
  to: BeadId;
}

export interface LayoutInput {
  /** Beads with blocking links, in the tracker's order. */
  ids: BeadId[];
  links: Link[];
  /** Links that close a cycle. The layout uses them only to find connected beads. */
  back: Link[];
  /** Links from parents to their children among these beads. */
  parts: Link[];
  /** The step of each bead: the length of the longest chain of blockers before it. */
  ranks: Map<BeadId, number>;
  /** The number of beads without blocking links. */
  alone: number;
}

const BLOCKING = new Set(["blocks", "conditional-blocks", "waits-for"]);

export function inputOf({ nodes, edges }: Pick<BeadGraph, "nodes" | "edges">): LayoutInput {
  const known = new Set(nodes.map(({ id }) => id));
  const blocking = uniqueLinks(
    edges.filter(({ kind }) => BLOCKING.has(kind)),
    known,
  );
  const linked = new Set(blocking.flatMap(({ from, to }) => [from, to]));
  const ids = nodes.map(({ id }) => id).filter((id) => linked.has(id));
  const { links, back } = withoutCycles(ids, blocking);
  return {
    ids,
    links,
    back,
    parts: uniqueLinks(
      edges.filter(({ kind }) => kind === "parent-child"),
      linked,
    ),
    ranks: ranksOf(ids, links),
    alone: nodes.length - ids.length,
  };
}

/** The links between known beads, without loops and duplicates. In an edge, `from` depends on `to`. */
function uniqueLinks(edges: readonly GraphEdge[], known: ReadonlySet<BeadId>): Link[] {
  const links = new Map<string, Link>();
  for (const { from, to } of edges)
    if (from !== to && known.has(from) && known.has(to)) links.set(`${to}\n${from}`, { from: to, to: from });
  return [...links.values()];
}

function nextOf(links: readonly Link[]): Map<BeadId, Link[]> {
  const next = new Map<BeadId, Link[]>();
  for (const link of links) {
    const list = next.get(link.from);
    if (list) list.push(link);
    else next.set(link.from, [link]);
  }
  return next;
}

/** Separates the links that close a cycle. The search does not recurse, since chains can be long. */
function withoutCycles(ids: readonly BeadId[], all: readonly Link[]): { links: Link[]; back: Link[] } {
  const next = nextOf(all);
  const state = new Map<BeadId, "open" | "done">();
  const back = new Set<Link>();
  const incoming = new Set(all.map(({ to }) => to));
  // Starts at beads that wait for nothing, so that a cycle is entered from its blockers.
  const starts = [...ids.filter((id) => !incoming.has(id)), ...ids];
  for (const start of starts) {
    if (state.has(start)) continue;
    state.set(start, "open");
    const path = [{ id: start, at: 0 }];
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const link = next.get(top.id)?.[top.at++];
      if (!link) {
        state.set(top.id, "done");
        path.pop();
      } else if (state.get(link.to) === "open") back.add(link);
      else if (!state.has(link.to)) {
        state.set(link.to, "open");
        path.push({ id: link.to, at: 0 });
      }
    }
  }
  return { links: all.filter((link) => !back.has(link)), back: [...back] };
}

/** For each bead, the length of the longest chain before it. */
function ranksOf(ids: readonly BeadId[], links: readonly Link[]): Map<BeadId, number> {
  const ranks = new Map(ids.map((id) => [id, 0]));
  const waiting = new Map(ids.map((id) => [id, 0]));
  for (const { to } of links) waiting.set(to, (waiting.get(to) ?? 0) + 1);
  const next = nextOf(links);
  const ready = ids.filter((id) => waiting.get(id) === 0);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    const rank = (ranks.get(id) ?? 0) + 1;
    for (const { to } of next.get(id) ?? []) {
      ranks.set(to, Math.max(ranks.get(to) ?? 0, rank));
      const left = (waiting.get(to) ?? 1) - 1;
      waiting.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
  return ranks;
}

/** The beads that each bead is linked to, in either direction. */
export function neighboursOf(ids: readonly BeadId[], links: readonly Link[]): ReadonlyMap<BeadId, BeadId[]> {
  const near = new Map<BeadId, BeadId[]>(ids.map((id) => [id, []]));
  for (const { from, to } of links) {
    near.get(from)?.push(to);
    near.get(to)?.push(from);
  }
  return near;
}

/** The groups of connected beads, the largest first. */
export function componentsOf({ ids, links, back }: Pick<LayoutInput, "ids" | "links" | "back">): BeadId[][] {
  const near = neighboursOf(ids, [...links, ...back]);
  const seen = new Set<BeadId>();
  const components: BeadId[][] = [];
  for (const start of ids) {
    if (seen.has(start)) continue;
    seen.add(start);
    const component = [start];
    for (const id of component)
      for (const other of near.get(id) ?? [])
        if (!seen.has(other)) {
          seen.add(other);
          component.push(other);
        }
    components.push(component);
  }
  return components.sort((a, b) => b.length - a.length);
}

/** The direct blockers of a bead, and the beads that wait for it. */
export function besideOf(edges: readonly GraphEdge[], nodes: ReadonlyMap<BeadId, GraphNode>, id: BeadId) {
  const of = (ids: BeadId[]) => [...new Set(ids)].flatMap((other) => nodes.get(other) ?? []);
  const blocking = edges.filter(({ kind }) => BLOCKING.has(kind));
  return {
    before: of(blocking.flatMap(({ from, to }) => (from === id ? [to] : []))),
    after: of(blocking.flatMap(({ from, to }) => (to === id ? [from] : []))),
  };
}

/** The beads that wait for a bead, directly or through others. */
export function waitingFor(edges: readonly GraphEdge[], id: BeadId): BeadId[] {
  const next = nextOf(edges.filter(({ kind }) => BLOCKING.has(kind)).map(({ from, to }) => ({ from: to, to: from })));
  const seen = new Set([id]);
  for (const at of seen) for (const { to } of next.get(at) ?? []) seen.add(to);
  seen.delete(id);
  return [...seen];
}
