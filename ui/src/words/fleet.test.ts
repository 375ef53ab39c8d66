import { describe, expect, it } from "vitest";
import type { FleetEvent } from "../generated/api";
import { mebibytes } from "./count";
import { agentName, eventLine, recoveryActionsOf, sharesOf } from "./fleet";

describe("fleet texts", () => {
  it("name agents on one line", () => {
    expect(agentName({ name: "Ann\nthe builder" })).toBe("Ann the builder");
  });

  it("offer the likeliest action first, and only possible ones", () => {
    const stuck = { session_id: "s", bead: "bd-1" };
    expect(recoveryActionsOf({ ...stuck, state: "needs_you" })).toEqual(["open", "reassign", "release"]);
    expect(recoveryActionsOf({ ...stuck, state: "interrupted" })).toEqual(["resume", "reassign", "release", "open"]);
    expect(recoveryActionsOf({ session_id: null, bead: "bd-1", state: "interrupted" })).toEqual([
      "reassign",
      "release",
    ]);
    expect(recoveryActionsOf({ ...stuck, state: "working" })).toEqual([]);
  });

  it("count all beads of a convoy", () => {
    const counts = {
      merged: 5,
      done: 1,
      in_review: 1,
      conflicted: 1,
      in_progress: 2,
      hooked: 1,
      ready: 3,
      blocked: 4,
      put_off: 1,
      missing: 1,
    };
    const shares = sharesOf(counts);
    expect(shares.reduce((n, { count }) => n + count, 0)).toBe(Object.values(counts).reduce((a, b) => a + b));
    expect(sharesOf({ ...counts, blocked: 0 }).some(({ word }) => word === "blocked")).toBe(false);
  });

  it("show an event's message with the agent's name", () => {
    const event = (message: string, agentId?: string): FleetEvent => ({
      id: "",
      timestamp: "",
      category: "routing",
      severity: "info",
      message,
      details: {},
      ...(agentId ? { agentId } : {}),
    });
    const nameOf = (id: string) => ({ "polecat-1": "Agent 1" })[id];
    expect(eventLine(event("bd-2 assigned to polecat-1", "polecat-1"), nameOf)).toBe("bd-2 assigned to Agent 1");
    expect(eventLine(event("Nudge sent\nto all", "witness-7"), nameOf)).toBe("Nudge sent to all");
  });

  it("show memory in a suitable unit", () => {
    expect([740, 1024, 6350].map(mebibytes)).toEqual(["740 MB", "1 GB", "6.2 GB"]);
  });
});
