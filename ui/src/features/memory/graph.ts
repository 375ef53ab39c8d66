/**
 * Lays out the links between memories and beads. Dependencies go left; connected components are laid out separately
 * and packed, largest first. The layout is deterministic.
 */
import type { MemoryEntry, Relation } from "../../generated/api";

export interface Node {
  id: string;
  /** The memory; null for a bead. */
  memory: MemoryEntry | null;
  x: number;
  y: number;
}
export interface Edge {
  /** The dependent or derived node. */
  child: Node;
  parent: Node;
  kind: Relation;
}
export interface Graph {
  nodes: Node[];
  edges: Edge[];
  width: number;
  height: number;
  /** The number of unlinked memories. */
  alone: number;
}

export const NODE = { width: 196, height: 44 };
const GAP = { across: 76, down: 14, parts: 40 };
const SWEEPS = 6;
const STEP = { x: NODE.width + GAP.across, y: NODE.height + GAP.down };

interface Part {
  nodes: Node[];
  width: number;
  height: number;
}

/** `width`: the width at which components wrap. */
export function graphOf(memories: readonly MemoryEntry[], width: number): Graph {
  const nodes = new Map<string, Node>();
  const known = new Map(memories.map((memory) => [memory.id as string, memory]));
  const at = (id: string): Node => {
    const node = nodes.get(id) ?? { id, memory: known.get(id) ?? null, x: 0, y: 0 };
    nodes.set(id, node);
    return node;
  };
  const oldest = [...memories].sort(
    (a, b) => (a.created_at ?? "").localeCompare(b.created_at ?? "") || a.key.localeCompare(b.key),
  );
  const edges = oldest.flatMap((memory) =>
    memory.links.map(({ id, kind }): Edge => ({ child: at(memory.id), parent: at(id), kind })),
  );
  const near = neighbours(edges);
  const parts = together([...nodes.values()], near).map((part) => drawn(part, edges, near));
  parts.sort((a, b) => b.nodes.length - a.nodes.length);
  const size = set(parts, Math.max(width, ...parts.map((part) => part.width)));
  return { nodes: [...nodes.values()], edges, ...size, alone: memories.filter(({ id }) => !nodes.has(id)).length };
}

function neighbours(edges: readonly Edge[]): Map<Node, Node[]> {
  const near = new Map<Node, Node[]>();
  for (const { child, parent } of edges) {
    near.set(child, [...(near.get(child) ?? []), parent]);
    near.set(parent, [...(near.get(parent) ?? []), child]);
  }
  return near;
}

/** Connected components, regardless of direction. */
function together(nodes: readonly Node[], near: ReadonlyMap<Node, Node[]>): Node[][] {
  const seen = new Set<Node>();
  const parts: Node[][] = [];
  for (const first of nodes) {
    if (seen.has(first)) continue;
    const part: Node[] = [];
    const open = [first];
    seen.add(first);
    for (let node = open.shift(); node; node = open.shift()) {
      part.push(node);
      for (const other of near.get(node) ?? []) {
        if (seen.has(other)) continue;
        seen.add(other);
        open.push(other);
      }
    }
    parts.push(part);
  }
  return parts;
}

/** Columns by dependency depth; rows keep linked nodes close. */
function drawn(part: Node[], edges: readonly Edge[], near: ReadonlyMap<Node, Node[]>): Part {
  const columns: Node[][] = [];
  const places = columnsOf(part, edges);
  for (const node of part) (columns[places.get(node) ?? 0] ??= []).push(node);
  const tall = Math.max(...columns.map((column) => column.length));
  columns.forEach((column, n) =>
    column.forEach((node, row) =>
      Object.assign(node, { x: n * STEP.x, y: (row + (tall - column.length) / 2) * STEP.y }),
    ),
  );
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const column of sweep % 2 === 0 ? columns : [...columns].reverse()) settle(column, near);
  }
  const top = Math.min(...part.map(({ y }) => y));
  for (const node of part) node.y -= top;
  return {
    nodes: part,
    width: columns.length * STEP.x - GAP.across,
    height: Math.max(...part.map(({ y }) => y)) + NODE.height,
  };
}

/** A node's column is its longest path back; a cycle ends where it began. */
function columnsOf(part: readonly Node[], edges: readonly Edge[]): Map<Node, number> {
  const parents = new Map<Node, Node[]>();
  for (const { child, parent } of edges) parents.set(child, [...(parents.get(child) ?? []), parent]);
  const places = new Map<Node, number>();
  const under = new Set<Node>();
  const place = (node: Node): number => {
    const known = places.get(node);
    if (known !== undefined) return known;
    if (under.has(node)) return -1;
    under.add(node);
    const found = Math.max(-1, ...(parents.get(node) ?? []).map(place)) + 1;
    under.delete(node);
    places.set(node, found);
    return found;
  };
  part.forEach(place);
  return places;
}

/** Moves a column's nodes towards the mean of their neighbours. */
function settle(column: Node[], near: ReadonlyMap<Node, Node[]>): void {
  const wanted = new Map(
    column.map((node) => [
      node,
      mean((near.get(node) ?? []).filter(({ x }) => x !== node.x).map(({ y }) => y)) ?? node.y,
    ]),
  );
  column.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
  let free = -Infinity;
  for (const node of column) {
    node.y = Math.max(wanted.get(node) ?? 0, free);
    free = node.y + STEP.y;
  }
  // Centres the column after pushing nodes down.
  const off = mean(column.map((node) => (wanted.get(node) ?? 0) - node.y)) ?? 0;
  for (const node of column) node.y += off;
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Packs components into rows. Returns the total size. */
function set(parts: readonly Part[], width: number): { width: number; height: number } {
  let [x, y, row, widest] = [0, 0, 0, 0];
  for (const part of parts) {
    if (x > 0 && x + part.width > width) [x, y, row] = [0, y + row + GAP.parts, 0];
    for (const node of part.nodes) Object.assign(node, { x: node.x + x, y: node.y + y });
    widest = Math.max(widest, x + part.width);
    x += part.width + GAP.parts;
    row = Math.max(row, part.height);
  }
  return { width: widest, height: y + row };
}

/** The initial node: the most linked one at the left of the largest component. */
export function beginning({ nodes, edges }: Graph): Node | undefined {
  const near = (node: Node): number => edges.filter(({ child, parent }) => child === node || parent === node).length;
  const left = nodes.filter(({ x }) => x === 0);
  return left.reduce<Node | undefined>((best, node) => (best && near(best) >= near(node) ? best : node), undefined);
}

/** From the child's left to the parent's right; links within a column or backwards loop around the side. */
export function pathOf({ child, parent }: Edge): string {
  const [x1, y1] = [child.x, child.y + NODE.height / 2];
  const y2 = parent.y + NODE.height / 2;
  if (parent.x < child.x) {
    const x2 = parent.x + NODE.width;
    const bend = Math.max(GAP.across / 2, (x1 - x2) / 2);
    return `M${x1},${y1} C${x1 - bend},${y1} ${x2 + bend},${y2} ${x2},${y2}`;
  }
  const side = Math.max(x1, parent.x) + NODE.width;
  return `M${x1 + NODE.width},${y1} C${side + 44},${y1} ${side + 44},${y2} ${parent.x + NODE.width},${y2}`;
}

/** The nearest node in a direction. */
export function nextTo(nodes: readonly Node[], from: Node, key: string): Node | undefined {
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!way) return undefined;
  const [dx = 0, dy = 0] = way;
  let best: { node: Node; far: number } | undefined;
  for (const node of nodes) {
    const [across, down] = [node.x - from.x, node.y - from.y];
    const along = across * dx + down * dy;
    if (along <= 0) continue;
    const aside = Math.abs(across * dy) + Math.abs(down * dx);
    const far = along + 2 * aside;
    if (!best || far < best.far) best = { node, far };
  }
  return best?.node;
}
