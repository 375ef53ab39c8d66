import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallError } from "../platform";
import { LiveQuery, REST } from "./live-query.svelte";

function made() {
  const asked: { give: (n: number) => void; fail: () => void }[] = [];
  const live = new LiveQuery(
    () =>
      new Promise<number>((give, refuse) =>
        asked.push({ give, fail: () => refuse(new CallError("io", "the folder cannot be read")) }),
      ),
  );
  return { asked, live };
}
const settle = () => vi.advanceTimersByTimeAsync(0);

describe("live query", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("reads only while it is watched", async () => {
    const { asked, live } = made();
    live.changed();
    await vi.advanceTimersByTimeAsync(REST);
    expect(asked.length).toBe(0);
    const close = live.open();
    expect(asked.length).toBe(1);
    asked[0]?.give(1);
    await settle();
    live.changed();
    close();
    await vi.advanceTimersByTimeAsync(REST);
    expect([asked.length, live.value]).toEqual([1, 1]);
  });

  it("coalesces changes into one read, and changes during the read into one more", async () => {
    const { asked, live } = made();
    live.open();
    for (let i = 0; i < 20; i++) live.changed();
    expect(asked.length).toBe(1);
    asked[0]?.give(1);
    await vi.advanceTimersByTimeAsync(REST);
    expect(asked.length).toBe(2);
    asked[1]?.give(2);
    await vi.advanceTimersByTimeAsync(REST * 4);
    expect([asked.length, live.value]).toEqual([2, 2]);
  });

  it("keeps the last result when a reload fails, and clears the error with the next success", async () => {
    const { asked, live } = made();
    live.open();
    asked[0]?.give(7);
    await settle();
    live.now();
    asked[1]?.fail();
    await settle();
    expect([live.value, live.error?.code]).toEqual([7, "io"]);
    live.now();
    asked[2]?.give(8);
    await settle();
    expect([live.value, live.error]).toEqual([8, null]);
  });

  it("reads again if a command answered during a read", async () => {
    const { asked, live } = made();
    live.open();
    live.put(5);
    asked[0]?.give(4);
    await vi.advanceTimersByTimeAsync(REST);
    asked[1]?.give(5);
    await settle();
    expect([asked.length, live.value]).toEqual([2, 5]);
  });

  it("pauses in a hidden window, and reads at once when the window is shown", async () => {
    const { asked, live } = made();
    const seen = vi.spyOn(document, "visibilityState", "get");
    live.open();
    asked[0]?.give(1);
    await settle();
    seen.mockReturnValue("hidden");
    live.changed();
    await vi.advanceTimersByTimeAsync(REST * 10);
    expect(asked.length).toBe(1);
    seen.mockReturnValue("visible");
    document.dispatchEvent(new Event("visibilitychange"));
    expect(asked.length).toBe(2);
    seen.mockRestore();
  });

  it("waits longer between slow reads", async () => {
    const { asked, live } = made();
    live.open();
    await vi.advanceTimersByTimeAsync(REST * 2);
    asked[0]?.give(1);
    await settle();
    live.changed();
    await vi.advanceTimersByTimeAsync(REST * 4);
    expect(asked.length).toBe(1);
    await vi.advanceTimersByTimeAsync(REST * 4);
    expect(asked.length).toBe(2);
  });
});
