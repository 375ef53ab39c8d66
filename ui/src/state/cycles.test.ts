import { expect, it } from "vitest";
import type { Bead } from "../generated/api";
import { cycleOf } from "./cycles";

const bead = (id: string, blocked_by: string[], parent?: string): [string, Bead] => [
  id,
  {
    ...{ id, title: id, status: "open", priority: 2, issue_type: "task", labels: [], unblocks: [], ready: false },
    blocked_by,
    ...(parent === undefined ? {} : { parent }),
  },
];

it("names the cycle that a dependency would close", () => {
  const beads = new Map([bead("a", []), bead("b", ["a"]), bead("c", ["b"]), bead("d", [], "c")]);
  expect(cycleOf(beads, "a", "c")).toEqual(["a", "c", "b"]);
  expect(cycleOf(beads, "a", "d", "parent-child")).toEqual(["a", "d", "c", "b"]);
  expect(cycleOf(beads, "a", "a")).toEqual(["a"]);
  expect(cycleOf(beads, "c", "a")).toBeNull();
  expect(cycleOf(beads, "a", "c", "related")).toBeNull();
});

it("ends in a graph that has a cycle already", () => {
  const beads = new Map([bead("a", ["b"]), bead("b", ["a"]), bead("c", [])]);
  expect(cycleOf(beads, "c", "a")).toBeNull();
});
