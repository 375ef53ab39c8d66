import { describe, expect, it } from "vitest";
import type { FleetAgentNow, FleetEvent } from "../generated/api";
import { agentName, eventLine, mebibytes, rescuesOf, sharesOf } from "./fleet";

const agent = (id: string, role: string) => agentName({ identity: { id, role } } as FleetAgentNow);

describe("a fleet in words", () => {
  it("agents have short names, the same every time", () => {
    expect(agent("polecat-4f1c9a07be", "polecat")).toBe("Polecat 4f1c");
    expect(agent("crew-mira", "crew")).toBe("Crew mira");
    expect(agent("gas-town/7", "witness")).toBe("Witness gas-town/7");
  });

  it("the likeliest help comes first, and only what there is", () => {
    const stuck = { session_id: "s", bead: "bd-1" };
    expect(rescuesOf({ ...stuck, state: "needs_you" })).toEqual(["open", "hand_on", "release"]);
    expect(rescuesOf({ ...stuck, state: "interrupted" })).toEqual(["resume", "hand_on", "release", "open"]);
    expect(rescuesOf({ session_id: null, bead: "bd-1", state: "interrupted" })).toEqual(["hand_on", "release"]);
    expect(rescuesOf({ ...stuck, state: "working" })).toEqual([]);
  });

  it("a convoy's shares are all of its beads", () => {
    const counts = { merged: 5, done: 1, in_review: 1, conflicted: 1, in_progress: 2, hooked: 1, ready: 3, blocked: 4, put_off: 1, missing: 1 };
    const shares = sharesOf(counts);
    expect(shares.reduce((n, { count }) => n + count, 0)).toBe(Object.values(counts).reduce((a, b) => a + b));
    expect(sharesOf({ ...counts, blocked: 0 }).some(({ word }) => word === "blocked")).toBe(false);
  });

  it("an event of another version is said by its name", () => {
    expect(eventLine({ at: "", event: "hook_set", agent: "polecat-1", bead: "bd-2" })).toBe("polecat-1 was given bd-2");
    expect(eventLine({ at: "", event: "convoy_exploded", convoy: "c-1" } as unknown as FleetEvent)).toBe("convoy exploded c-1");
  });

  it("memory is in the unit that fits", () => {
    expect([740, 1024, 6350].map(mebibytes)).toEqual(["740 MB", "1 GB", "6.2 GB"]);
  });
});
