/** The drawn graph: beads and lines with their positions and meanings. Pure. */
import type { BeadGraph, BeadId, GraphNode } from "../../generated/api";
import type { Point } from "../../components/graph-navigation";
import type { LayoutInput, Link } from "./input";
import { NODE, STEP, type Placed } from "./place";
import { overlaps, type Box } from "./view";

export interface SceneNode extends Box {
  bead: GraphNode;
  step: number;
  onPath: boolean;
  inCycle: boolean;
}
export type LineKind = "blocks" | "path" | "cycle" | "part";
export interface Line {
  from: BeadId;
  to: BeadId;
  kind: LineKind;
  /** SVG path data. */
  path: string;
  /** The end of the arrow, and whether it points to the left; absent for lines without one. */
  tip?: Point & { left: boolean };
  box: Box;
}
export interface Scene {
  nodes: SceneNode[];
  byId: ReadonlyMap<BeadId, SceneNode>;
  lines: Line[];
  width: number;
  height: number;
  steps: number;
}

export const EMPTY: Scene = { nodes: [], byId: new Map(), lines: [], width: 0, height: 0, steps: 0 };

/** Builds the scene. `path`: whether the critical path is highlighted. */
export function sceneOf(graph: BeadGraph, input: LayoutInput, placed: Placed, path: boolean): Scene {
  const beads = new Map(graph.nodes.map((node) => [node.id, node]));
  const critical = path ? graph.critical_path : [];
  const onPath = new Set(critical);
  const inCycle = new Set(graph.cycles.flat());
  const pathLinks = new Set(critical.slice(1).map((id, n) => keyOf({ from: critical[n] ?? "", to: id })));
  // Each bead of a cycle depends on the next one.
  const cycleLinks = new Set(
    graph.cycles.flatMap((ids) => ids.map((id, n) => keyOf({ from: ids[(n + 1) % ids.length] ?? "", to: id }))),
  );
  const nodes = placed.places.flatMap(([id, { x, y }]): SceneNode[] => {
    const bead = beads.get(id);
    if (!bead) return [];
    const step = Math.round(x / STEP);
    return [{ bead, x, y, ...NODE, step, onPath: onPath.has(id), inCycle: inCycle.has(id) }];
  });
  const byId = new Map(nodes.map((node) => [node.bead.id, node]));
  const backKeys = new Set(input.back.map(keyOf));
  const kindOf = (link: Link): LineKind =>
    cycleLinks.has(keyOf(link)) ? "cycle" : pathLinks.has(keyOf(link)) ? "path" : "blocks";
  const lines = [
    ...input.parts.map(({ from, to }) => partLine(byId.get(from), byId.get(to))),
    ...placed.links.map((link) => {
      const both = backKeys.has(keyOf({ from: link.to, to: link.from }));
      return forwardLine(byId.get(link.from), byId.get(link.to), link.bends, kindOf(link), both ? -9 : 0);
    }),
    ...input.back.map((link) => backLine(byId.get(link.from), byId.get(link.to), kindOf(link))),
  ].filter((line) => line !== null);
  const rank: Record<LineKind, number> = { part: 0, blocks: 1, path: 2, cycle: 3 };
  lines.sort((a, b) => rank[a.kind] - rank[b.kind]);
  const steps = nodes.reduce((most, { step }) => Math.max(most, step + 1), 0);
  return { nodes, byId, lines, width: placed.width, height: placed.height, steps };
}

function keyOf({ from, to }: Link): string {
  return `${from}\n${to}`;
}

type End = SceneNode | undefined;

function forwardLine(from: End, to: End, bends: readonly Point[], kind: LineKind, shift: number): Line | null {
  if (!from || !to) return null;
  const middle = NODE.height / 2 + shift;
  let at = { x: from.x + NODE.width, y: from.y + middle };
  let path = `M${at.x},${at.y}`;
  const points = [at];
  const curve = (end: Point) => {
    const half = (at.x + end.x) / 2;
    path += ` C${half},${at.y} ${half},${end.y} ${end.x},${end.y}`;
    points.push(end);
    at = end;
  };
  for (const { x, y } of bends) {
    curve({ x, y });
    at = { x: x + NODE.width, y };
    path += ` L${at.x},${at.y}`;
    points.push(at);
  }
  const tip = { x: to.x, y: to.y + middle };
  curve(tip);
  return { from: from.bead.id, to: to.bead.id, kind, path, tip: { ...tip, left: false }, box: boundsOf(points) };
}

/** The line of a link that closes a cycle, which goes back to the left. */
function backLine(from: End, to: End, kind: LineKind): Line | null {
  if (!from || !to) return null;
  const middle = NODE.height / 2 + 9;
  const start = { x: from.x, y: from.y + middle };
  const tip = { x: to.x + NODE.width, y: to.y + middle };
  const bend = Math.max(24, Math.abs(start.x - tip.x) / 2);
  const path = `M${start.x},${start.y} C${start.x - bend},${start.y} ${tip.x + bend},${tip.y} ${tip.x},${tip.y}`;
  const box = boundsOf([start, tip, { x: start.x - bend, y: start.y }, { x: tip.x + bend, y: tip.y }]);
  return { from: from.bead.id, to: to.bead.id, kind, path, tip: { ...tip, left: true }, box };
}

/** The line from a bead to its parent. */
function partLine(parent: End, child: End): Line | null {
  if (!parent || !child) return null;
  const below = child.y >= parent.y;
  const start = { x: child.x + NODE.width, y: child.y + NODE.height / 2 };
  const end = { x: parent.x + NODE.width / 2, y: below ? parent.y + NODE.height : parent.y };
  const bend = { x: end.x, y: start.y };
  const path = `M${start.x},${start.y} Q${bend.x},${bend.y} ${end.x},${end.y}`;
  return { from: parent.bead.id, to: child.bead.id, kind: "part", path, box: boundsOf([start, bend, end]) };
}

function boundsOf(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs) - 8, Math.min(...ys) - 8];
  return { x, y, width: Math.max(...xs) + 8 - x, height: Math.max(...ys) + 8 - y };
}

/** The beads on screen, limited to a number that a window can show legibly. */
export function visibleOf({ nodes }: Pick<Scene, "nodes">, box: Box, most = 240): SceneNode[] {
  return nodes.filter((node) => overlaps(node, box)).slice(0, most);
}

/** The bead at a point; undefined if there is none. */
export function hitOf({ nodes }: Pick<Scene, "nodes">, { x, y }: Point): SceneNode | undefined {
  return nodes.find((node) => x >= node.x && x <= node.x + node.width && y >= node.y && y <= node.y + node.height);
}

/** The bead at which a large graph opens: the first of the critical path, or else the topmost of the first step. */
export function startOf({ nodes }: Pick<Scene, "nodes">): SceneNode | undefined {
  const begins = nodes.filter(({ step }) => step === 0);
  const top = (list: readonly SceneNode[]) =>
    list.reduce<SceneNode | undefined>((best, node) => (best && best.y <= node.y ? best : node), undefined);
  return begins.find(({ onPath }) => onPath) ?? top(begins);
}
