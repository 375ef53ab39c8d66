import { expect, it } from "vitest";
import type { BeadGraph, GraphEdge, GraphNode } from "../../generated/api";
import { nextTo } from "../../components/graph-navigation";
import { componentsOf, inputOf, waitingFor } from "./input";
import { NODE, placedAll, STEP, tasksOf } from "./place";
import { hitOf, sceneOf, visibleOf } from "./scene";
import { first, fitted, LEGIBLE, revealed, shownBox, stepped, zoomed } from "./view";

const node = (id: string): GraphNode => ({
  ...{ id, title: id, status: "open", ready: false, priority: 2, issue_type: "task", unblocks_all: 0 },
});
/** An edge from text: in `"b a"`, b depends on a. */
const edge = (text: string, kind = "blocks"): GraphEdge => {
  const [from = "", to = ""] = text.split(" ");
  return { from, to, kind };
};
function graph(ids: string, edges: GraphEdge[], more: Partial<BeadGraph> = {}): BeadGraph {
  return { nodes: ids.split(" ").map(node), edges, cycles: [], critical_path: [], ...more };
}
const laidOut = (of: BeadGraph, path = true) => {
  const input = inputOf(of);
  return sceneOf(of, input, placedAll(tasksOf(input)), path);
};

it("a bead is one step after the last of its blockers", () => {
  const input = inputOf(graph("d c b a", [edge("b a"), edge("c b"), edge("d a"), edge("d c")]));
  expect(Object.fromEntries(input.ranks)).toEqual({ a: 0, b: 1, c: 2, d: 3 });
  expect(input.back).toEqual([]);
});

it("a cycle is laid out without the link that closes it", () => {
  const input = inputOf(graph("a b c", [edge("a b"), edge("b a"), edge("c b")]));
  expect(input.links).toHaveLength(2);
  expect(input.back).toHaveLength(1);
  const all = [...input.ranks.values()];
  expect(Math.max(...all)).toBeLessThan(3);
});

it("beads without blocking links are counted, not placed", () => {
  const input = inputOf(graph("a b c d", [edge("b a"), edge("c d", "related"), edge("a a"), edge("b gone")]));
  expect([input.ids, input.alone]).toEqual([["a", "b"], 2]);
});

it("duplicates of a link are one link", () => {
  expect(inputOf(graph("a b", [edge("b a"), edge("b a", "waits-for")])).links).toHaveLength(1);
});

it("groups without a connection are separate, the largest first", () => {
  const input = inputOf(graph("x y a b c", [edge("y x"), edge("b a"), edge("c b")]));
  expect(componentsOf(input).map((ids) => ids.length)).toEqual([3, 2]);
});

it("steps are columns, across groups, and nothing overlaps", () => {
  const ids = Array.from({ length: 60 }, (_, n) => `n${n}`);
  const edges = ids.slice(1).map((id, n) => edge(`${id} n${Math.floor(n / 3)}`));
  const scene = laidOut(graph([...ids, "x", "y"].join(" "), [...edges, edge("y x"), edge("n9 n1")]));
  expect(scene.nodes).toHaveLength(62);
  for (const one of scene.nodes) {
    expect(one.x).toBe(one.step * STEP);
    for (const other of scene.nodes)
      if (one !== other && one.x === other.x) expect(Math.abs(one.y - other.y)).toBeGreaterThanOrEqual(NODE.height);
  }
  expect(scene.byId.get("x")?.step).toBe(0);
});

it("marks the critical path and each link of a cycle", () => {
  const scene = laidOut(
    graph("a b c p q", [edge("b a"), edge("c b"), edge("p q"), edge("q p")], {
      critical_path: ["a", "b", "c"],
      cycles: [["p", "q"]],
    }),
  );
  const kinds = scene.lines.map(({ from, to, kind }) => `${from}>${to} ${kind}`).sort();
  expect(kinds).toEqual(["a>b path", "b>c path", "p>q cycle", "q>p cycle"]);
  expect(scene.nodes.filter(({ inCycle }) => inCycle).map(({ bead }) => bead.id)).toEqual(["p", "q"]);
  for (const { path } of scene.lines) expect(path).not.toMatch(/NaN|undefined|Infinity/);
});

it("the critical path can be turned off", () => {
  const scene = laidOut(graph("a b", [edge("b a")], { critical_path: ["a", "b"] }), false);
  expect(scene.lines.map(({ kind }) => kind)).toEqual(["blocks"]);
});

it("finds all beads that wait for a bead, also in a cycle", () => {
  const edges = [edge("b a"), edge("c b"), edge("b c"), edge("d c")];
  expect(waitingFor(edges, "a").sort()).toEqual(["b", "c", "d"]);
  expect(waitingFor(edges, "b").sort()).toEqual(["c", "d"]);
});

/** A wide and deep graph of 2,000 beads, with long links. */
function large(): BeadGraph {
  const ids = Array.from({ length: 2000 }, (_, n) => `n${n}`);
  const edges = ids
    .slice(1)
    .flatMap((id, n) => [
      edge(`${id} n${Math.max(0, n - (n % 37))}`),
      ...(n % 5 === 0 ? [edge(`${id} n${Math.floor(n / 2)}`)] : []),
      ...(n % 400 === 399 ? [edge(`n${n - 37} ${id}`)] : []),
    ]);
  return graph(ids.join(" "), edges);
}

it("2,000 beads are laid out, and a screen has few enough elements", () => {
  const scene = laidOut(large());
  expect(scene.nodes).toHaveLength(2000);
  const room = { width: 1440, height: 900 };
  for (let n = 0; n < scene.nodes.length; n += 97) {
    const at = scene.nodes[n];
    if (!at) continue;
    const view = revealed({ x: 1e6, y: 1e6, scale: LEGIBLE }, at, room);
    // Each bead has at most 12 elements.
    expect(visibleOf(scene, shownBox(view, room)).length * 12).toBeLessThan(2900);
  }
});

it("a chain of 20,000 beads does not overflow the stack", () => {
  const ids = Array.from({ length: 20_000 }, (_, n) => `n${n}`);
  const edges = ids.slice(1).map((id, n) => edge(`${id} n${n}`));
  const input = inputOf(graph(ids.join(" "), edges));
  expect(input.ranks.get("n19999")).toBe(19_999);
});

it("arrow keys move to the nearest bead, and a point hits the bead that covers it", () => {
  const scene = laidOut(graph("a b c", [edge("b a"), edge("c a")]));
  const a = scene.byId.get("a")!;
  expect(nextTo(scene.nodes, a, "ArrowRight")?.step).toBe(1);
  expect(nextTo(scene.nodes, a, "ArrowLeft")).toBeUndefined();
  expect(hitOf(scene, { x: a.x + 5, y: a.y + 5 })?.bead.id).toBe("a");
  expect(hitOf(scene, { x: -5, y: -5 })).toBeUndefined();
});

it("zooming keeps the point under the pointer, and a large graph starts legibly", () => {
  const view = { x: 20, y: 40, scale: 1 };
  const to = zoomed(view, 2, { x: 120, y: 140 });
  expect([(120 - to.x) / to.scale, (140 - to.y) / to.scale]).toEqual([100, 100]);
  expect([stepped(1, 1), stepped(1, -1)]).toEqual([1.25, 0.8]);
  expect(fitted({ width: 9000, height: 100 }, { width: 940, height: 500 }).scale).toBeCloseTo(0.1);
  expect(first({ width: 9000, height: 100 }, { width: 940, height: 500 }).scale).toBe(1);
  expect(first({ width: 400, height: 100 }, { width: 940, height: 500 }).scale).toBe(1);
});
