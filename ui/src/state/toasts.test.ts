import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Toasts } from "./toasts.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("toasts", () => {
  it("merge repeated messages with a count", () => {
    const toasts = new Toasts();
    for (let i = 0; i < 4; i++) toasts.error(new Error("No room"));
    toasts.error(new Error("No host"));
    expect(toasts.list.map(({ text, count }) => [text, count])).toEqual([
      ["No room", 4],
      ["No host", 1],
    ]);
  });

  it("keep only the newest of a group, and are cleared with the group", () => {
    const toasts = new Toasts();
    toasts.error(new Error("One bead not assigned"), undefined, "refused");
    toasts.error(new Error("Two beads not assigned"), undefined, "refused");
    toasts.error(new Error("No host"));
    expect(toasts.list.map(({ text }) => text)).toEqual(["Two beads not assigned", "No host"]);
    toasts.clear("refused");
    expect(toasts.list.map(({ text }) => text)).toEqual(["No host"]);
  });

  it("avoid every reserved area until it is released", () => {
    const toasts = new Toasts();
    expect(toasts.room).toEqual({ right: 0, top: null });
    const fleet = toasts.keepOff({ right: 0, top: 84 });
    const panel = toasts.keepOff({ right: 400, top: null });
    expect(toasts.room).toEqual({ right: 400, top: 84 });
    fleet();
    expect(toasts.room).toEqual({ right: 400, top: null });
    panel();
    expect(toasts.room).toEqual({ right: 0, top: null });
  });

  it("stay while the user points at one, also those that come meanwhile", () => {
    const toasts = new Toasts();
    toasts.done("One");
    toasts.hold();
    toasts.done("Two");
    vi.advanceTimersByTime(60_000);
    expect(toasts.list.map(({ text }) => text)).toEqual(["One", "Two"]);
    toasts.release();
    vi.advanceTimersByTime(60_000);
    expect(toasts.list).toEqual([]);
  });
});
