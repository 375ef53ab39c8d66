import { describe, expect, it } from "vitest";
import type { PlaceCheck, SessionView } from "../../generated/api";
import { CallError } from "../../platform";
import { placeState } from "./place-state";

const at = Date.parse("2026-01-19T10:00:00Z");
const check = (claude: boolean, ahead_ms = 0): PlaceCheck => ({
  place: {
    name: "far",
    kind: "ssh",
    host: "far",
    folder: "f",
    program: "p",
    capacity: null,
    labels: [],
    dolt_server: null,
    draining: false,
  },
  ok: claude,
  parts: [
    { what: "claude", ok: claude, required: true, version: null, means: "claude was not found" },
    { what: "bd", ok: false, required: false, version: null, means: "bd was not found" },
  ],
  clock: { ahead_ms, within_ms: 5 },
  free: 2_000_000_000,
});

describe("the state of a place", () => {
  it("names a missing part only if sessions need it", () => {
    expect(placeState([], undefined).line).toBe("Not tested");
    expect(placeState([], null).line).toBe("Testing…");
    expect(placeState([], { at, check: check(true), error: null })).toMatchObject({ tone: "good", why: "2.0 GB free" });
    expect(placeState([], { at, check: check(false), error: null })).toMatchObject({
      tone: "bad",
      why: "Claude was not found.",
    });
  });
  it("is draining even if its test succeeded", () => {
    expect(placeState([], { at, check: check(true), error: null }, true).line).toBe("Draining");
  });
  it("shows a clock that differs", () => {
    expect(placeState([], { at, check: check(true, -5000), error: null }).why).toMatch(/clock/);
  });
  it("prefers the state that a session at the place reports", () => {
    const error = CallError.from({ code: "machine_unreachable", message: "no route" });
    expect(placeState([], { at, check: null, error }).why).toMatch(/no route/i);
    const session = { state: "active", live: { unreachable_since: "2026-01-19T10:00:00Z" } } as unknown as SessionView;
    expect(placeState([session], { at, check: check(true), error: null }).line).toMatch(/^Unreachable since /);
  });
});
