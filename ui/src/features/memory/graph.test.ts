import { expect, it } from "vitest";
import type { MemoryEntry, Relation } from "../../generated/api";
import { nextTo } from "../../components/graph-navigation";
import { beginning, graphOf as placed, layoutOf, NODE, pathOf, type Graph } from "./graph";

function memory(id: string, links: [string, Relation][] = [], n = 0): MemoryEntry {
  return {
    id,
    key: id,
    title: id,
    links: links.map(([to, kind]) => ({ id: to, kind })),
    created_at: `2026-01-0${n + 1}T00:00:00Z`,
  } as unknown as MemoryEntry;
}
const graphOf = (memories: readonly MemoryEntry[], width: number) => placed(layoutOf(memories), width);
const at = (graph: Graph, id: string) => graph.nodes.find((node) => node.id === id)!;

it("roots are at the left, and a bead is a node", () => {
  const graph = graphOf(
    [
      memory("design"),
      memory("impl", [["design", "discovered-from"]], 1),
      memory(
        "fix",
        [
          ["impl", "blocks"],
          ["BC-7", "related"],
        ],
        2,
      ),
      memory("alone"),
    ],
    1000,
  );
  expect(at(graph, "design").x).toBeLessThan(at(graph, "impl").x);
  expect(at(graph, "impl").x).toBeLessThan(at(graph, "fix").x);
  expect([graph.alone, graph.edges.length, at(graph, "BC-7").memory]).toEqual([1, 3, null]);
});

it("nodes never overlap or leave the drawing", () => {
  const many = Array.from({ length: 60 }, (_, n) =>
    memory(
      `m${n}`,
      n === 0
        ? []
        : [
            [`m${Math.floor((n - 1) / 3)}`, "related"],
            ...(n % 7 === 0 ? [[`m${n - 2}`, "blocks"] as [string, Relation]] : []),
          ],
      n % 9,
    ),
  );
  const apart = Array.from({ length: 9 }, (_, n) => [memory(`a${n}`), memory(`b${n}`, [[`a${n}`, "related"]])]).flat();
  const graph = graphOf([...many, ...apart], 900);
  for (const one of graph.nodes) {
    expect(
      one.x >= 0 && one.y >= -0.001 && one.x + NODE.width <= graph.width && one.y + NODE.height <= graph.height + 0.001,
    ).toBe(true);
    for (const other of graph.nodes) {
      if (one === other) continue;
      const over = Math.abs(one.x - other.x) < NODE.width && Math.abs(one.y - other.y) < NODE.height;
      expect(over, `${one.id} ${other.id}`).toBe(false);
    }
  }
});

it("handles cycles, self-links and duplicate links", () => {
  const graph = graphOf(
    [
      memory("a", [["b", "blocks"]]),
      memory("b", [
        ["c", "blocks"],
        ["c", "related"],
      ]),
      memory("c", [
        ["a", "blocks"],
        ["c", "related"],
      ]),
    ],
    800,
  );
  expect(graph.nodes).toHaveLength(3);
  for (const edge of graph.edges) expect(pathOf(edge)).not.toContain("NaN");
});

it("a link across a column goes around its nodes", () => {
  const graph = graphOf(
    [
      memory("a"),
      memory("b", [["a", "related"]], 1),
      memory(
        "c",
        [
          ["b", "related"],
          ["a", "blocks"],
        ],
        2,
      ),
    ],
    1000,
  );
  const [, , long] = graph.edges;
  expect(graph.edges.map(({ bends }) => bends.length)).toEqual([0, 0, 1]);
  const [bend] = long!.bends;
  const between = at(graph, "b");
  expect(Math.abs(bend!.x - (between.x + NODE.width / 2))).toBeLessThan(1);
  expect(bend!.y < between.y || bend!.y > between.y + NODE.height).toBe(true);
});

it("the layout does not depend on the order of the memories", () => {
  const all = [
    memory("a", [], 0),
    memory("b", [["a", "related"]], 1),
    memory("c", [["a", "blocks"]], 2),
    memory("d", [["b", "related"]], 3),
  ];
  const places = (list: MemoryEntry[]) =>
    graphOf(list, 800)
      .nodes.map(({ id, x, y }) => [id, x, y])
      .sort();
  expect(places([...all].reverse())).toEqual(places(all));
});

it("handles an empty graph", () => {
  expect(graphOf([], 500)).toEqual({ nodes: [], edges: [], width: 0, height: 0, alone: 0 });
});

it("an arrow key moves to the nearest node in its direction", () => {
  const graph = graphOf([memory("a"), memory("b", [["a", "related"]], 1), memory("c", [["a", "related"]], 2)], 800);
  const a = at(graph, "a");
  const right = nextTo(graph.nodes, a, "ArrowRight")!;
  expect(["b", "c"]).toContain(right.id);
  expect(nextTo(graph.nodes, right, "ArrowLeft")).toBe(a);
  expect(nextTo(graph.nodes, a, "ArrowLeft")).toBeUndefined();
  expect(nextTo(graph.nodes, a, "Enter")).toBeUndefined();
});

it("the graph opens at the most linked node of the left edge", () => {
  const graph = graphOf(
    [
      memory("a"),
      memory("b", [["a", "related"]], 1),
      memory("other"),
      memory("root"),
      memory("c", [["root", "blocks"]], 2),
      memory("d", [["root", "related"]], 3),
      memory(
        "e",
        [
          ["other", "blocks"],
          ["root", "blocks"],
        ],
        4,
      ),
    ],
    3000,
  );
  expect(beginning(graph)?.id).toBe("root");
  expect(beginning(graphOf([], 500))).toBeUndefined();
});
