/**
 * Positions of beads and lines, computed by dagre except for large groups. Beads of one step form a column. Groups of
 * connected beads are laid out separately and placed below each other. Runs in a worker, or in slices if there is
 * none. Pure.
 */
import { graphlib, layout } from "@dagrejs/dagre";
import type { Point } from "../../components/graph-navigation";
import type { BeadId } from "../../generated/api";
import { componentsOf, neighboursOf, type LayoutInput, type Link } from "./input";

export interface PlacedLink extends Link {
  /** The points at which the line passes the columns in between. */
  bends: Point[];
}
interface Positions {
  /** The top left corner of each bead. */
  places: [BeadId, Point][];
  links: PlacedLink[];
}
export interface Placed extends Positions {
  width: number;
  height: number;
}

export const NODE = { width: 164, height: 48 };
export const GAP = { across: 38, down: 24, parts: 36 };
/** The distance from one column to the next. */
export const STEP = NODE.width + GAP.across;
/**
 * The most beads and line bends for which dagre is fast enough: its time grows with the square of their number.
 * Beads of larger groups are only ordered within their columns.
 */
const MAX_DAGRE = 500;
/** In a graph with more beads than this, dagre lays out only small groups. */
const LARGE = 600;
const MOST_OF_LARGE = 24;

/** A group of connected beads, as sent to the worker. */
export interface Task {
  ids: BeadId[];
  ranks: number[];
  links: Link[];
}

/** The groups of a graph, the largest first. */
export function tasksOf(input: LayoutInput): Task[] {
  const groups = componentsOf(input);
  const groupOf = new Map(groups.flatMap((ids, n) => ids.map((id) => [id, n] as const)));
  const tasks = groups.map((ids): Task => ({ ids, ranks: ids.map((id) => input.ranks.get(id) ?? 0), links: [] }));
  for (const link of input.links) tasks[groupOf.get(link.from) ?? 0]?.links.push(link);
  return tasks;
}

/** Lays out all groups, one below the other. */
export function placedAll(tasks: readonly Task[]): Placed {
  const size = tasks.reduce((sum, { ids }) => sum + ids.length, 0);
  return stacked(tasks.map((task) => placed(task, size > LARGE ? MOST_OF_LARGE : MAX_DAGRE)));
}

/** Lays out one group with its top left corner at the origin. `most` is the limit for dagre, like `MAX_DAGRE`. */
export function placed(task: Task, most = MAX_DAGRE): Placed {
  const rankOf = new Map(task.ids.map((id, n) => [id, task.ranks[n] ?? 0]));
  const spans = task.links.map(({ from, to }) => (rankOf.get(to) ?? 0) - (rankOf.get(from) ?? 0));
  const cost = task.ids.length + spans.reduce((sum, span) => sum + span - 1, 0);
  return normalized(cost > most ? ordered(task, rankOf) : byDagre(task, rankOf, spans));
}

function byDagre({ ids, links }: Task, rankOf: ReadonlyMap<BeadId, number>, spans: readonly number[]): Positions {
  const graph = new graphlib.Graph({ multigraph: true });
  // Every link's length is fixed to the number of steps between its beads, so dagre need not search for ranks.
  const [ranksep, nodesep, edgesep] = [GAP.across, GAP.down, GAP.down / 2];
  graph.setGraph({ rankdir: "LR", ranksep, nodesep, edgesep, ranker: "longest-path" });
  for (const id of ids) graph.setNode(id, { ...NODE });
  links.forEach(({ from, to }, n) => graph.setEdge(from, to, { minlen: spans[n] ?? 1 }, String(n)));
  layout(graph);
  const column = (id: BeadId) => (rankOf.get(id) ?? 0) * STEP;
  const places = ids.map((id): [BeadId, Point] => [id, { x: column(id), y: graph.node(id).y - NODE.height / 2 }]);
  const lines = links.map((link, n): PlacedLink => {
    const { points }: { points: Point[] } = graph.edge(link.from, link.to, String(n));
    return { ...link, bends: bendsOf(points, column(link.from), column(link.to)) };
  });
  return { places, links: lines };
}

/** Orders each column by the mean position of the neighbours, with straight lines. */
function ordered({ ids, links }: Task, rankOf: ReadonlyMap<BeadId, number>): Positions {
  const SWEEPS = 12;
  const columns: BeadId[][] = [];
  for (const id of ids) (columns[rankOf.get(id) ?? 0] ??= []).push(id);
  const near = neighboursOf(ids, links);
  const y = new Map<BeadId, number>();
  const tall = NODE.height + GAP.down;
  const settle = (column: BeadId[]) => column.forEach((id, n) => y.set(id, (n - (column.length - 1) / 2) * tall));
  columns.forEach(settle);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const column of sweep % 2 === 0 ? columns : [...columns].reverse()) {
      const mean = new Map(column.map((id) => [id, meanOf(near.get(id) ?? [], y) ?? y.get(id) ?? 0]));
      column.sort((a, b) => (mean.get(a) ?? 0) - (mean.get(b) ?? 0));
      settle(column);
    }
  }
  return {
    places: ids.map((id) => [id, { x: (rankOf.get(id) ?? 0) * STEP, y: y.get(id) ?? 0 }]),
    links: links.map((link) => ({ ...link, bends: [] })),
  };
}

function meanOf(ids: readonly BeadId[], y: ReadonlyMap<BeadId, number>): number | null {
  if (ids.length === 0) return null;
  return ids.reduce((sum, id) => sum + (y.get(id) ?? 0), 0) / ids.length;
}

/** One point in each column in between. */
function bendsOf(points: readonly Point[], from: number, to: number): Point[] {
  const between = Math.round((to - from) / STEP) - 1;
  const inner = points.slice(1, -1).filter((_, at) => at % 2 === 1);
  return Array.from({ length: between }, (_, n) => {
    const at = inner[Math.min(n, inner.length - 1)];
    return { x: from + (n + 1) * STEP, y: at?.y ?? 0 };
  });
}

/** Moves a group to the origin and measures it. */
function normalized({ places, links }: Positions): Placed {
  const ys = places.map(([, { y }]) => y).concat(links.flatMap(({ bends }) => bends.map(({ y }) => y - 6)));
  const top = Math.min(...ys);
  const down = (point: Point): Point => ({ x: point.x, y: point.y - top });
  return {
    places: places.map(([id, point]): [BeadId, Point] => [id, down(point)]),
    links: links.map((link) => ({ ...link, bends: link.bends.map(down) })),
    width: Math.max(...places.map(([, { x }]) => x)) + NODE.width,
    height: Math.max(...ys) - top + NODE.height,
  };
}

/** Puts groups below each other. */
export function stacked(groups: readonly Placed[]): Placed {
  const whole: Placed = { places: [], links: [], width: 0, height: 0 };
  for (const { places, links, width, height } of groups) {
    const y = whole.height === 0 ? 0 : whole.height + GAP.parts;
    const down = (point: Point): Point => ({ x: point.x, y: point.y + y });
    for (const [id, point] of places) whole.places.push([id, down(point)]);
    for (const link of links) whole.links.push({ ...link, bends: link.bends.map(down) });
    whole.width = Math.max(whole.width, width);
    whole.height = y + height;
  }
  return whole;
}
