import { expect, it } from "vitest";
import type { Bead } from "../../generated/api";
import type { ListColumn } from "../../state/beads-layout";
import { age, estimate, gridOf, leastWidth } from "./columns";
import { sorted } from "./sort";

const bead = (id: string, more: Partial<Bead> = {}): Bead => ({
  ...{ id, title: id, status: "open", priority: 2, issue_type: "task", labels: [] },
  ...{ blocked_by: [], unblocks: [], ready: true },
  ...more,
});
const facts = { sessions: () => 0, epic: () => "" };
const order = (beads: Bead[], by: ListColumn, down = false) => sorted(beads, { by, down }, facts).map(({ id }) => id);

it("numbers in IDs are compared as numbers", () => {
  expect(order([bead("BC-10"), bead("BC-9"), bead("BC-100")], "id")).toEqual(["BC-9", "BC-10", "BC-100"]);
});

it("empty values are last in both directions", () => {
  const beads = [bead("a"), bead("b", { assignee: "Zoe" }), bead("c", { assignee: "Ann" })];
  expect(order(beads, "assignee")).toEqual(["c", "b", "a"]);
  expect(order(beads, "assignee", true)).toEqual(["b", "c", "a"]);
  const due = [bead("a"), bead("b", { due_at: "2026-02-01" }), bead("c", { due_at: "not a date" })];
  expect(order(due, "due", true)[0]).toBe("b");
});

it("equal values are ordered by priority, then by the last change", () => {
  const beads = [
    bead("a", { updated_at: "2026-01-01T00:00:00Z" }),
    bead("b", { updated_at: "2026-01-02T00:00:00Z" }),
    bead("c", { priority: 0 }),
  ];
  expect(order(beads, "type")).toEqual(["c", "b", "a"]);
  expect(order(beads, "type", true)).toEqual(["c", "b", "a"]);
});

it("statuses are in the order of the work", () => {
  const beads = [
    bead("closed", { status: "closed", ready: false }),
    bead("waits", { ready: false }),
    bead("ready"),
    bead("works", { status: "in_progress", ready: false }),
  ];
  expect(order(beads, "status")).toEqual(["works", "ready", "waits", "closed"]);
});

it("the title fills the row until it has a width", () => {
  expect(gridOf(["id", "title"], {})).toBe("36px 76px minmax(200px, 1fr)");
  expect(gridOf(["id", "title"], { title: 300 })).toBe("36px 76px 300px 1fr");
  expect(leastWidth(["id", "title"], { id: 100 })).toBe(336);
});

it("shows ages and estimates in a short form", () => {
  const now = Date.parse("2026-01-10T00:00:00Z");
  expect(
    ["2026-01-09T23:52:00Z", "2026-01-09T19:00:00Z", "2025-12-18T00:00:00Z", "junk", undefined].map((at) =>
      age(at, now),
    ),
  ).toEqual(["8m", "5h", "23d", "", ""]);
  expect([45, 360, 90, 0, undefined].map(estimate)).toEqual(["45m", "6h", "1h 30m", "", ""]);
});
