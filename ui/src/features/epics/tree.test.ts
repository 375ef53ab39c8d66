import { expect, it } from "vitest";
import type { Bead } from "../../generated/api";
import { branchesOf } from "./tree";

const bead = (id: string, parent?: string, more: Partial<Bead> = {}): Bead => ({
  ...{ id, title: id, status: "open", priority: 2, issue_type: id.startsWith("E") ? "epic" : "task", labels: [] },
  ...{ blocked_by: [], unblocks: [], ready: true },
  ...(parent ? { parent } : {}),
  ...more,
});
const closed = { status: "closed" };
const all = () => true;

it("counts everything below an epic, and puts open epics first", () => {
  const list = [
    bead("E1", undefined, closed),
    bead("E2"),
    bead("E3", "E2"),
    bead("a", "E2", closed),
    bead("b", "E3", { status: "in_progress" }),
    bead("c", "b"),
    bead("alone"),
  ];
  const rows = branchesOf(list, all, () => false);
  expect(rows.map(({ bead, all, closed, active }) => [bead.id, all, closed, active])).toEqual([
    ["E2", 3, 1, 1],
    ["E1", 0, 0, 0],
  ]);
});

it("opens levels, with open beads first", () => {
  const list = [bead("E1"), bead("a", "E1", closed), bead("b", "E1"), bead("E2", "E1"), bead("c", "E2")];
  const rows = branchesOf(list, all, (id) => id === "E1");
  expect(rows.map(({ bead, depth }) => `${bead.id}${depth}`)).toEqual(["E10", "E21", "b1", "a1"]);
});

it("a query keeps the ancestors of its matches", () => {
  const list = [bead("E1"), bead("E2", "E1"), bead("a", "E2"), bead("b", "E1"), bead("E9")];
  const rows = branchesOf(list, ({ id }) => id === "a", all);
  expect(rows.map(({ bead }) => bead.id)).toEqual(["E1", "E2", "a"]);
});

it("a cycle of parents is not followed forever", () => {
  const list = [bead("E1", "E2"), bead("E2", "E1"), bead("E3"), bead("a", "E3"), bead("x", "x")];
  expect(branchesOf(list, all, all).map(({ bead }) => bead.id)).toEqual(["E3", "a"]);
});

it("a parent that is not an epic is also a root; a missing parent is not", () => {
  const list = [bead("t"), bead("u", "t"), bead("E1", "gone")];
  expect(branchesOf(list, all, () => false).map(({ bead }) => bead.id)).toEqual(["E1", "t"]);
});
