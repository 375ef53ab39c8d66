import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Dismissals } from "./board-options";
import type { Call } from "./memories.svelte";
import { REFRESH, Stale } from "./stale.svelte";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const NOW = Date.parse("2026-11-20T12:00:00Z");
const BEAD = { id: "BC-1", title: "One", status: "in_progress", since: "2026-11-20T09:00:00Z", level: "warning" };

function setup() {
  const asked = vi.fn(() => Promise.resolve({ beads: [BEAD] }));
  const kept = {
    dismissals: {} as Dismissals,
    set: (change: { dismissals: Dismissals }) => Object.assign(kept, change),
  };
  return { asked, kept, stale: new Stale(asked as unknown as Call, kept) };
}

it("shows a stale bead until it is dismissed, and again after a day", async () => {
  const { stale, kept } = setup();
  expect(stale.of("BC-1", NOW)).toBeUndefined();
  await stale.reload(NOW);
  expect(stale.of("BC-1", NOW)?.level).toBe("warning");
  stale.dismiss("BC-1", NOW);
  expect(stale.of("BC-1", NOW + 1)).toBeUndefined();
  expect(stale.of("BC-1", NOW + 86_400_000)?.level).toBe("warning");
  expect(Object.keys(kept.dismissals)).toEqual(["BC-1"]);
});

it("reloads as time passes, and once after a burst of changes", async () => {
  const { stale, asked } = setup();
  stale.look(NOW);
  stale.look(NOW + REFRESH - 1);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveBeenCalledTimes(1);
  stale.look(NOW + REFRESH);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveBeenCalledTimes(2);
  for (let i = 0; i < 5; i++) stale.changed();
  await vi.advanceTimersByTimeAsync(2000);
  expect(asked).toHaveBeenCalledTimes(3);
});

it("reads again if something changed during a read", async () => {
  const { stale, asked } = setup();
  const first = stale.reload(NOW);
  await stale.reload(NOW);
  await first;
  expect(asked).toHaveBeenCalledTimes(2);
});
