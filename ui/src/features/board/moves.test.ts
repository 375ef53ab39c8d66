import { describe, expect, it } from "vitest";
import type { Bead, NotReady } from "../../generated/api";
import { COLUMNS, type ColumnId } from "../../state/beads.svelte";
import { moveOf, movesOf, type Facts } from "./moves";

const FACTS: Facts = {
  readOnly: false,
  statuses: ["open", "in_progress", "blocked", "deferred", "closed"],
  me: "ana",
  running: false,
  now: Date.parse("2026-11-20T12:00:00Z"),
};

function bead(status: string, over: Partial<Bead> = {}): Bead {
  return {
    id: "BC-1",
    title: "One",
    status,
    priority: 2,
    issue_type: "task",
    labels: [],
    blocked_by: [],
    unblocks: [],
    ready: status === "open",
    ...over,
  };
}

const BY: NotReady = { reason: "blocked_by", id: "BC-2", title: "Two", issue_type: "task", kind: "blocks" };
const waits = (...not_ready: NotReady[]) =>
  bead("open", { ready: false, not_ready, blocked_by: not_ready.includes(BY) ? ["BC-2"] : [] });

/** Describes a move: its effect, or in brackets why it is invalid; `-` for the bead's own column. */
function effectOf(one: Bead, to: ColumnId, facts: Partial<Facts> = {}): string {
  const move = moveOf(one, to, { ...FACTS, ...facts });
  if (move.valid) return move.effect;
  return move.why === undefined ? "-" : `(${move.why})`;
}
const row = (one: Bead, facts: Partial<Facts> = {}) => COLUMNS.map(({ id }) => effectOf(one, id, facts));

describe("a move", () => {
  it("is decided for every pair of columns", () => {
    const table = {
      "blocked by a bead": row(waits(BY)),
      ready: row(bead("open")),
      in_progress: row(bead("in_progress")),
      in_review: row(bead("in_review")),
      closed: row(bead("closed")),
    };
    // The columns are Blocked, Ready, In progress, In review, Closed.
    expect(table).toEqual({
      "blocked by a bead": [
        "-",
        "(Blocked by BC-2)",
        "(Blocked by BC-2)",
        "(Needs a commit first)",
        "(Blocked by BC-2)",
      ],
      ready: ["block", "-", "claim", "(Needs a commit first)", "close"],
      in_progress: ["block", "release", "-", "submit", "close"],
      in_review: ["(Request changes first)", "(Request changes first)", "request_changes", "-", "approve"],
      closed: ["(No open bead blocks it)", "reopen", "(Reopen it first)", "(Reopen it first)", "-"],
    });
  });

  it("to Ready undoes a status or a deferral, and nothing else", () => {
    const until = "2026-12-03T00:00:00Z";
    const cases: [string, NotReady[]][] = [
      ["unblock", [{ reason: "status", status: "blocked" }]],
      ["undefer", [{ reason: "deferred", until }]],
      [
        "undefer",
        [
          { reason: "status", status: "deferred" },
          { reason: "deferred", until },
        ],
      ],
      ["(Blocked by BC-2)", [{ reason: "deferred", until }, BY]],
      ["(Waiting for gate BC-2)", [{ ...BY, issue_type: "gate" }]],
      ["(Its parent BC-9 is blocked)", [{ ...BY, parent: "BC-9" }]],
      ["(Its parent is deferred until 3 Dec)", [{ reason: "deferred", until, parent: "BC-9" }]],
      ["(Reserved type molecule)", [{ reason: "kind", issue_type: "molecule" }]],
      [
        "(Assigned to an agent)",
        [
          { reason: "status", status: "hooked" },
          { reason: "assigned", to: "rig/a" },
        ],
      ],
      ["(The tracker decides what is ready)", []],
    ];
    for (const [expected, reasons] of cases) expect(effectOf(waits(...reasons), "ready"), expected).toBe(expected);
    expect(effectOf(waits({ reason: "status", status: "blocked" }), "in_progress")).toBe("(Move it to Ready first)");
    expect(effectOf(waits({ reason: "status", status: "blocked" }), "closed")).toBe("close");
  });

  it("respects the assignee, a running session, and the tracker", () => {
    expect(effectOf(bead("open", { assignee: "bob" }), "in_progress")).toBe("(Assigned to bob)");
    expect(effectOf(bead("open", { assignee: "ana" }), "in_progress")).toBe("claim");
    expect(effectOf(bead("open", { assignee: "bob" }), "in_progress", { me: null })).toBe("claim");
    expect(effectOf(bead("in_progress"), "ready", { running: true })).toBe("(Its session is running)");
    expect(effectOf(bead("open"), "blocked", { statuses: ["open"] })).toBe("(The tracker has no “blocked” status)");
    expect(row(bead("open"), { readOnly: true }).filter((one) => one !== "-")).toEqual(
      Array(4).fill("(Beads are read-only here)"),
    );
    expect(row(bead("tombstone"))).toEqual(Array(5).fill("-"));
  });

  it("of a reopened bead ends where its blockers put it", () => {
    const blocked = bead("closed", { blocked_by: ["BC-2"] });
    expect([effectOf(blocked, "ready"), effectOf(blocked, "blocked")]).toEqual(["(Blocked by BC-2)", "reopen"]);
  });

  it("is listed for every other column", () => {
    expect(movesOf(bead("in_progress"), FACTS).map(({ name }) => name)).toEqual([
      "Blocked",
      "Ready",
      "In review",
      "Closed",
    ]);
  });
});
