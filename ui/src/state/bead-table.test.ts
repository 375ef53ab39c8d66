import { describe, expect, it } from "vitest";
import type { Bead } from "../generated/api";
import { byUrgency, columnOf, ORDER } from "./bead-columns";
import { BeadTable } from "./bead-table";

/** Repeatable random numbers. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const STATES = ["open", "open", "in_progress", "in_review", "closed", "pinned", "deferred"];
const time = (hour: number) => `2026-01-01T${String(hour).padStart(2, "0")}:00:00Z`;

function bead(id: number, below: (limit: number) => number): Bead {
  const status = STATES[below(STATES.length)] ?? "open";
  return {
    id: `a-${id}`,
    title: `Bead ${id}`,
    status,
    priority: below(5),
    issue_type: "task",
    labels: below(3) === 0 ? [`l${below(4)}`] : [],
    blocked_by: [],
    unblocks: [],
    ready: status === "open" && below(2) === 0,
    created_at: time(below(3)),
    ...(below(3) === 0 ? { parent: `a-${below(10)}` } : {}),
    ...(below(4) === 0 ? { assignee: `p${below(3)}` } : {}),
    ...(status === "closed" ? { closed_at: time(below(24)) } : {}),
  } as Bead;
}

/** Checks a table against lists and counts computed from these beads. */
function same(table: BeadTable, beads: Map<string, Bead>): void {
  const list = [...beads.values()].sort(byUrgency);
  expect(table.list).toEqual(list);
  for (const [id, order] of Object.entries(ORDER)) {
    expect(table.columns[id as keyof typeof ORDER]).toEqual(list.filter((b) => columnOf(b) === id).sort(order));
  }
  expect(table.labels).toEqual([...new Set(list.flatMap((b) => b.labels))].sort());
  expect(table.assignees).toEqual([...new Set(list.flatMap((b) => b.assignee ?? []))].sort());
  for (const { parent } of list) {
    if (!parent) continue;
    const children = list.filter((b) => b.parent === parent);
    const closed = children.filter((b) => b.status === "closed").length;
    expect(table.childrenOf.get(parent)).toEqual({ all: children.length, closed });
  }
}

describe("bead table", () => {
  it("is the same after any changes as when it is filled at once", () => {
    const below = random(7);
    const [table, beads] = [new BeadTable(), new Map<string, Bead>()];
    for (let round = 0; round < 300; round++) {
      const changes = new Map<string, Bead | null>();
      const count = round % 50 === 0 ? 250 : 1 + below(4);
      for (let n = 0; n < count; n++) {
        const id = below(300);
        const next = below(4) === 0 ? null : bead(id, below);
        changes.set(`a-${id}`, next);
        if (next) beads.set(`a-${id}`, next);
        else beads.delete(`a-${id}`);
      }
      table.apply(changes);
      if (round % 10 === 0 || round > 290) same(table, beads);
    }
  });

  it("keeps the lists without a changed bead", () => {
    const below = random(3);
    const table = new BeadTable();
    table.apply(new Map(Array.from({ length: 400 }, (_, n) => [`a-${n}`, bead(n, below)])));
    const before = { ...table };
    const ready = table.columns.ready[0];
    if (!ready) throw new Error("some are ready");
    expect(table.apply(new Map([[ready.id, ready]]))).toBe(false);
    table.apply(new Map([[ready.id, { ...ready, title: "Another" }]]));
    expect(table.columns.closed).toBe(before.columns.closed);
    expect(table.columns.ready).not.toBe(before.columns.ready);
    expect(table.columns.ready.slice(1)).toEqual(before.columns.ready.slice(1));
    expect(table.labels).toBe(before.labels);
    expect(table.get(ready.id)?.title).toBe("Another");
  });
});
