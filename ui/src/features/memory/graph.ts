/**
 * Lays out the links between memories and beads. Dependencies go left; connected components are laid out separately
 * and packed, largest first. The layout is deterministic.
 */
import { graphlib, layout } from "@dagrejs/dagre";
import type { MemoryEntry, Relation } from "../../generated/api";
import type { Point } from "./graph-view";

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
  /** Where its line goes, from the parent to the child. */
  points: Point[];
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

interface Part {
  nodes: Node[];
  edges: Edge[];
  width: number;
  height: number;
}

/** `width`: the width at which components wrap. */
export function graphOf(memories: readonly MemoryEntry[], width: number): Graph {
  const known = new Map(memories.map((memory) => [memory.id as string, memory]));
  const linked = new graphlib.Graph<object, Node, Edge>({ multigraph: true });
  const at = (id: string): Node => {
    if (!linked.hasNode(id)) linked.setNode(id, { id, memory: known.get(id) ?? null, x: 0, y: 0 });
    return linked.node(id);
  };
  const oldest = [...memories].sort(
    (a, b) => (a.created_at ?? "").localeCompare(b.created_at ?? "") || a.key.localeCompare(b.key),
  );
  const edges = oldest.flatMap((memory) =>
    memory.links.map(({ id, kind }): Edge => ({ child: at(memory.id), parent: at(id), kind, points: [] })),
  );
  edges.forEach((edge, n) => linked.setEdge(edge.parent.id, edge.child.id, edge, String(n)));
  const parts = graphlib.alg.components(linked).map((ids) => laidOut(new Set(ids), linked, edges));
  parts.sort((a, b) => b.nodes.length - a.nodes.length);
  const size = pack(parts, Math.max(width, ...parts.map((part) => part.width)));
  const nodes = parts.flatMap((part) => part.nodes);
  return { nodes, edges, ...size, alone: memories.filter(({ id }) => !linked.hasNode(id)).length };
}

/** One component, from its top left corner: parents at the left, and lines around the nodes between them. */
function laidOut(ids: ReadonlySet<string>, linked: graphlib.Graph<object, Node, Edge>, all: readonly Edge[]): Part {
  const nodes = [...ids].map((id) => linked.node(id));
  const edges = all.filter(({ child }) => ids.has(child.id));
  const part = new graphlib.Graph({ multigraph: true });
  part.setGraph({ rankdir: "LR", ranksep: GAP.across, nodesep: GAP.down, edgesep: GAP.down });
  for (const { id } of nodes) part.setNode(id, { ...NODE });
  edges.forEach(({ child, parent }, n) => part.setEdge(parent.id, child.id, {}, String(n)));
  layout(part);
  for (const node of nodes) {
    const { x, y } = part.node(node.id);
    Object.assign(node, { x: x - NODE.width / 2, y: y - NODE.height / 2 });
  }
  edges.forEach((edge, n) => (edge.points = part.edge(edge.parent.id, edge.child.id, String(n)).points));
  const { width = 0, height = 0 } = part.graph();
  return { nodes, edges, width, height };
}

/** Packs components into rows. Returns the total size. */
function pack(parts: readonly Part[], width: number): { width: number; height: number } {
  let [x, y, row, widest] = [0, 0, 0, 0];
  for (const part of parts) {
    if (x > 0 && x + part.width > width) [x, y, row] = [0, y + row + GAP.parts, 0];
    const [across, down] = [x, y];
    for (const point of [...part.nodes, ...part.edges.flatMap(({ points }) => points)]) {
      point.x += across;
      point.y += down;
    }
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

/** From the child to the parent, as one smooth line through the edge's points. */
export function pathOf({ points }: Edge): string {
  const [first, ...rest] = [...points].reverse();
  if (!first) return "";
  let [path, from] = [`M${first.x},${first.y}`, first];
  for (const to of rest) {
    const middle = (from.x + to.x) / 2;
    path += ` C${middle},${from.y} ${middle},${to.y} ${to.x},${to.y}`;
    from = to;
  }
  return path;
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
