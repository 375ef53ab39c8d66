import { describe, expect, it } from "vitest";
import type { NotReady } from "../generated/api";
import { cardReason, rawStatus, reasonsOf, whyNot } from "./ready";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const of = (...not_ready: NotReady[]) => ({
  not_ready,
  status: not_ready.find((r) => r.reason === "status")?.status ?? "open",
});
const blocker = (id: string, over: Partial<Extract<NotReady, { reason: "blocked_by" }>> = {}): NotReady => ({
  reason: "blocked_by",
  id,
  title: "Rotate keys",
  issue_type: "task",
  kind: "blocks",
  ...over,
});

describe("the reason why a bead is not ready", () => {
  it("names a custom status and the assignee", () => {
    const hooked = of({ reason: "status", status: "hooked" }, { reason: "assigned", to: "rig/polecat" });
    expect(reasonsOf(hooked, NOW).map((r) => r.description)).toEqual([
      "It is assigned to an agent that has not started it yet.",
      "Assigned to rig/polecat.",
    ]);
    expect(cardReason({ ...hooked, assignee: "rig/polecat" }, NOW)).toEqual({
      icon: "agent",
      text: "Assigned to rig/polecat",
      more: 0,
    });
    expect(cardReason(of({ reason: "status", status: "on_hold" }), NOW).text).toBe("Status: on hold");
    expect(reasonsOf(of({ reason: "status", status: "on_hold" }), NOW)[0]?.description).toBe("Its status is on hold.");
    expect([rawStatus({ status: "hooked" }), rawStatus({ status: "open" })]).toEqual(["assigned", null]);
  });

  it("links to a blocker, and distinguishes a parent's blocker, a gate and a fan-out", () => {
    expect(reasonsOf(of(blocker("BC-1")), NOW)).toEqual([
      { description: "Blocked by", bead: { id: "BC-1", title: "Rotate keys" } },
    ]);
    const says = (over: Parameters<typeof blocker>[1]) => reasonsOf(of(blocker("BC-1", over)), NOW)[0]?.description;
    expect([says({ parent: "BC-9" }), says({ issue_type: "gate" }), says({ kind: "waits-for" })]).toEqual([
      "Its parent BC-9 is blocked by",
      "Waiting for the gate",
      "Waiting for the children of",
    ]);
    const bead = { id: "BC-1", title: "Rotate keys" };
    expect(cardReason(of(blocker("BC-1"), blocker("BC-2")), NOW)).toEqual({
      icon: "locked",
      text: "Blocked by",
      bead,
      more: 1,
    });
    expect(cardReason(of(blocker("BC-1", { parent: "BC-9" })), NOW).text).toBe("Parent BC-9 blocked by");
    expect(cardReason(of(blocker("BC-1", { issue_type: "gate" })), NOW).text).toBe("Waiting for the gate");
    expect(whyNot(of(blocker("BC-1")), NOW)).toBe("Not ready. Blocked by BC-1 Rotate keys.");
  });

  it("shows the state of a blocker that is in the list", () => {
    const find = (id: string) => (id === "BC-1" ? { status: "in_progress" } : undefined);
    const both = of(blocker("BC-1"), blocker("BC-2"));
    expect(reasonsOf(both, NOW, find).map(({ bead }) => bead?.state)).toEqual(["in progress", undefined]);
    expect(cardReason(both, NOW, find).bead?.state).toBe("in progress");
    expect(whyNot(of(blocker("BC-1")), NOW, find)).toBe("Not ready. Blocked by BC-1 Rotate keys (in progress).");
  });

  it("names the date of a deferred bead, and a reason that only the tracker knows", () => {
    const until = of({ reason: "deferred", until: "2026-12-03T00:00:00Z" });
    expect([reasonsOf(until, NOW)[0]?.description, cardReason(until, NOW).text]).toEqual([
      "Deferred until 3 Dec.",
      "Deferred until 3 Dec",
    ]);
    const parents = of({ reason: "deferred", until: "2026-12-03T00:00:00Z", parent: "BC-9" });
    expect([reasonsOf(parents, NOW)[0]?.description, cardReason(parents, NOW).text]).toEqual([
      "Its parent BC-9 is deferred until 3 Dec.",
      "Parent BC-9 deferred until 3 Dec",
    ]);
    expect(cardReason(of({ reason: "kind", issue_type: "molecule" }), NOW).text).toBe("Reserved type: molecule");
    expect(cardReason({ status: "open" }, NOW).text).toBe("Not ready");
    expect(whyNot({}, NOW)).toBe("Not ready. The tracker does not list this bead as ready.");
  });
});
