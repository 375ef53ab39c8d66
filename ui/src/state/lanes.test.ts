import { expect, it } from "vitest";
import type { Bead } from "../generated/api";
import { arranged, isHead, rowsOf } from "./lanes";

function bead(id: string, over: Partial<Bead> = {}): Bead {
  const bare = { id, title: `Title of ${id}`, status: "open", priority: 2, issue_type: "task", ready: true };
  return { ...bare, labels: [], blocked_by: [], unblocks: [], ...over };
}
const ALL = [
  bead("E-1", { issue_type: "epic", priority: 0 }),
  bead("S-1", { parent: "E-1" }),
  bead("A", { parent: "S-1", assignee: "mara" }),
  bead("B", { priority: 1 }),
  bead("C", { parent: "E-1", assignee: "dv/5e551001" }),
  bead("D", { parent: "X", assignee: "mara" }),
  bead("L", { parent: "M" }),
  bead("M", { parent: "L" }),
];
const find = (id: string) => ALL.find((one) => one.id === id);
const beads = ["A", "B", "C", "D"].map((id) => find(id) as Bead);
const said = (by: Parameters<typeof rowsOf>[1], list = beads) =>
  rowsOf(list, by, find).map((row) => (isHead(row) ? `${row.lane.name} ${row.count}` : row.id));

it("groups by the nearest epic, and puts beads without one last", () => {
  expect(said("epic")).toEqual(["Title of E-1 2", "A", "C", "No epic 2", "B", "D"]);
});

it("groups by assignee, with all sessions as one group", () => {
  expect(said("assignee")).toEqual(["mara 2", "A", "D", "Agents 1", "C", "Unassigned 1", "B"]);
});

it("groups by priority, and keeps the order within a group", () => {
  expect(said("priority")).toEqual(["P1 1", "B", "P2 3", "A", "C", "D"]);
});

it("has the same order for the keyboard as on screen", () => {
  for (const by of ["epic", "assignee", "priority"] as const)
    expect(arranged(beads, by, find).map(({ id }) => id)).toEqual(said(by).filter((one) => one.length === 1));
  expect(rowsOf(beads, "none", find)).toBe(beads);
});

it("ends at a cycle of parents", () => {
  expect(said("epic", [find("L") as Bead])).toHaveLength(2);
});
