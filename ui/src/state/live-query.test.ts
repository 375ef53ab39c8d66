import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallError } from "../platform";
import { LiveQuery, REST } from "./live-query.svelte";

function setup() {
  const requests: { give: (n: number) => void; fail: () => void }[] = [];
  const live = new LiveQuery(
    () =>
      new Promise<number>((give, refuse) =>
        requests.push({ give, fail: () => refuse(new CallError("io", "the folder cannot be read")) }),
      ),
  );
  return { requests, live };
}
const settle = () => vi.advanceTimersByTimeAsync(0);

describe("live query", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("reads only while it is watched", async () => {
    const { requests, live } = setup();
    live.changed();
    await vi.advanceTimersByTimeAsync(REST);
    expect(requests.length).toBe(0);
    const close = live.open();
    expect(requests.length).toBe(1);
    requests[0]?.give(1);
    await settle();
    live.changed();
    close();
    await vi.advanceTimersByTimeAsync(REST);
    expect([requests.length, live.value]).toEqual([1, 1]);
  });

  it("coalesces changes into one read, and changes during the read into one more", async () => {
    const { requests, live } = setup();
    live.open();
    for (let i = 0; i < 20; i++) live.changed();
    expect(requests.length).toBe(1);
    requests[0]?.give(1);
    await vi.advanceTimersByTimeAsync(REST);
    expect(requests.length).toBe(2);
    requests[1]?.give(2);
    await vi.advanceTimersByTimeAsync(REST * 4);
    expect([requests.length, live.value]).toEqual([2, 2]);
  });

  it("keeps the last result when a reload fails, and clears the error with the next success", async () => {
    const { requests, live } = setup();
    live.open();
    requests[0]?.give(7);
    await settle();
    live.now();
    requests[1]?.fail();
    await settle();
    expect([live.value, live.error?.code]).toEqual([7, "io"]);
    live.now();
    requests[2]?.give(8);
    await settle();
    expect([live.value, live.error]).toEqual([8, null]);
  });

  it("reads again if a command answered during a read", async () => {
    const { requests, live } = setup();
    live.open();
    live.put(5);
    requests[0]?.give(4);
    await vi.advanceTimersByTimeAsync(REST);
    requests[1]?.give(5);
    await settle();
    expect([requests.length, live.value]).toEqual([2, 5]);
  });

  it("pauses in a hidden window, and reads at once when the window is shown", async () => {
    const { requests, live } = setup();
    const seen = vi.spyOn(document, "visibilityState", "get");
    live.open();
    requests[0]?.give(1);
    await settle();
    seen.mockReturnValue("hidden");
    live.changed();
    await vi.advanceTimersByTimeAsync(REST * 10);
    expect(requests.length).toBe(1);
    seen.mockReturnValue("visible");
    document.dispatchEvent(new Event("visibilitychange"));
    expect(requests.length).toBe(2);
    seen.mockRestore();
  });

  it("waits longer between slow reads", async () => {
    const { requests, live } = setup();
    live.open();
    await vi.advanceTimersByTimeAsync(REST * 2);
    requests[0]?.give(1);
    await settle();
    live.changed();
    await vi.advanceTimersByTimeAsync(REST * 4);
    expect(requests.length).toBe(1);
    await vi.advanceTimersByTimeAsync(REST * 4);
    expect(requests.length).toBe(2);
  });
});
