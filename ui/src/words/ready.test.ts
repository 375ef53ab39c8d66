import { describe, expect, it } from "vitest";
import type { NotReady } from "../generated/api";
import { rawStatus, reasonsOf, shortReason, whyNot } from "./ready";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const of = (...not_ready: NotReady[]) => ({
  not_ready,
  blocked_by: not_ready.flatMap((r) => (r.reason === "blocked_by" && !r.parent ? [r.id] : [])),
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
      "Assigned to an agent that has not started it yet.",
      "Assigned to rig/polecat.",
    ]);
    expect(shortReason(hooked, NOW), "the card shows the status separately").toBeNull();
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
    expect(shortReason(of(blocker("BC-1"), blocker("BC-2")), NOW)?.text).toBe("BC-1 +1");
    expect(shortReason(of(blocker("BC-1", { parent: "BC-9" })), NOW)?.text).toBe("BC-9 blocked");
    expect(whyNot(of(blocker("BC-1")), NOW)).toBe("Not ready. Blocked by BC-1 Rotate keys.");
  });

  it("names the date of a deferred bead, and a reason that only the tracker knows", () => {
    const until = of({ reason: "deferred", until: "2026-12-03T00:00:00Z" });
    expect([reasonsOf(until, NOW)[0]?.description, shortReason(until, NOW)?.text]).toEqual([
      "Deferred until 3 Dec.",
      "until 3 Dec",
    ]);
    expect(whyNot({}, NOW)).toBe("Not ready. The tracker does not list this bead as ready.");
  });
});
