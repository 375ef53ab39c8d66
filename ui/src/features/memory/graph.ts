/**
 * Lays out the links between memories and beads. Parents are at the left. Connected components are laid out
 * separately and packed, the largest first. The layout is deterministic.
 */
import { graphlib, layout } from "@dagrejs/dagre";
import type { MemoryEntry, Relation } from "../../generated/api";
import type { Point } from "../../components/graph-navigation";

export interface Node {
  id: string;
  /** The memory; null for a bead. */
  memory: MemoryEntry | null;
  x: number;
  y: number;
}
export interface Edge {
  /** The node that is blocked by, was discovered from, or is related to the parent. */
  child: Node;
  parent: Node;
  kind: Relation;
  /** The points at which the line passes the columns in between, from the child to the parent. */
  bends: Point[];
}
/** A drawing, or a connected component of it. */
interface Part {
  nodes: Node[];
  edges: Edge[];
  width: number;
  height: number;
}
export interface Graph extends Part {
  /** The number of unlinked memories. */
  alone: number;
}

export const NODE = { width: 196, height: 44 };
const GAP = { across: 76, down: 14, parts: 40 };

/** The layout of the components, without their positions in the window, which change more often. */
export interface Layout {
  /** The connected components, the largest first; each has its origin at its top left corner. */
  parts: Part[];
  alone: number;
}

export function layoutOf(memories: readonly MemoryEntry[]): Layout {
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
    memory.links.map(({ id, kind }): Edge => ({ child: at(memory.id), parent: at(id), kind, bends: [] })),
  );
  edges.forEach((edge, n) => linked.setEdge(edge.parent.id, edge.child.id, edge, String(n)));
  const parts = graphlib.alg.components(linked).map((ids) => laidOut(new Set(ids), linked, edges));
  parts.sort((a, b) => b.nodes.length - a.nodes.length);
  return { parts, alone: memories.filter(({ id }) => !linked.hasNode(id)).length };
}

/** Lays out one component: parents at the left, and lines around the nodes in between. */
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
  edges.forEach((edge, n) => {
    const { points }: { points: Point[] } = part.edge(edge.parent.id, edge.child.id, String(n));
    // Between a line's ends, every second point lies in a column, and the others between two columns.
    edge.bends = points.slice(1, -1).filter((_, at) => at % 2 === 1);
    edge.bends.reverse();
  });
  const { width = 0, height = 0 } = part.graph();
  return { nodes, edges, width, height };
}

/** Packs the components into rows that wrap at `width`. */
export function graphOf({ parts, alone }: Layout, width: number): Graph {
  const room = Math.max(width, ...parts.map((part) => part.width));
  const graph: Graph = { nodes: [], edges: [], width: 0, height: 0, alone };
  let [x, y, row] = [0, 0, 0];
  for (const part of parts) {
    if (x > 0 && x + part.width > room) [x, y, row] = [0, y + row + GAP.parts, 0];
    place(graph, part, { x, y });
    graph.width = Math.max(graph.width, x + part.width);
    x += part.width + GAP.parts;
    row = Math.max(row, part.height);
  }
  return { ...graph, height: y + row };
}

/** Adds copies of a component's nodes and edges, so that the layout can be packed again. */
function place(graph: Graph, part: Part, { x, y }: Point): void {
  const placed = new Map(part.nodes.map((node) => [node, { ...node, x: node.x + x, y: node.y + y }]));
  graph.nodes.push(...placed.values());
  for (const edge of part.edges) {
    const [child, parent] = [placed.get(edge.child), placed.get(edge.parent)];
    const bends = edge.bends.map((bend) => ({ x: bend.x + x, y: bend.y + y }));
    if (child && parent) graph.edges.push({ ...edge, child, parent, bends });
  }
}

/** The node at which the graph opens: the most linked one at the left edge. */
export function beginning({ nodes, edges }: Graph): Node | undefined {
  const near = (node: Node): number => edges.filter(({ child, parent }) => child === node || parent === node).length;
  const left = nodes.filter(({ x }) => x === 0);
  return left.reduce<Node | undefined>((best, node) => (best && near(best) >= near(node) ? best : node), undefined);
}

/** The line from the child's left to the parent's right. A link that closes a cycle goes the other way. */
export function pathOf({ child, parent, bends }: Edge): string {
  const middle = NODE.height / 2;
  if (child === parent) {
    const [x, y] = [child.x + NODE.width, child.y + middle];
    return `M${x},${y - 8} C${x + 44},${y - 8} ${x + 44},${y + 8} ${x},${y + 8}`;
  }
  const forward = parent.x < child.x;
  const ahead = forward ? -NODE.width : NODE.width;
  let from = { x: forward ? child.x : child.x + NODE.width, y: child.y + middle };
  let path = `M${from.x},${from.y}`;
  const curve = (to: Point) => {
    const half = (from.x + to.x) / 2;
    path += ` C${half},${from.y} ${half},${to.y} ${to.x},${to.y}`;
  };
  for (const { x, y } of bends) {
    curve({ x: x - ahead / 2, y });
    from = { x: x + ahead / 2, y };
    path += ` L${from.x},${from.y}`;
  }
  curve({ x: forward ? parent.x + NODE.width : parent.x, y: parent.y + middle });
  return path;
}
