import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LatestSaver } from "./latest-saver";
import { Layout } from "./layout.svelte";

/** A fake destination: `came` has the received values; `arrive` and `fail` complete the saves in progress. */
let came: unknown[];
let arrive: (() => void)[];
let fail: (() => void)[];
const keep = (value: unknown) => {
  came.push(value);
  return new Promise<void>((kept, failed) => {
    arrive.push(kept);
    fail.push(() => failed(new Error("not now")));
  });
};
const arrived = async (next = arrive.shift()) => {
  next?.();
  await vi.advanceTimersByTimeAsync(0);
};

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  [came, arrive, fail] = [[], [], []];
});
afterEach(() => void vi.useRealTimers());

describe("latest saver", () => {
  it("saves one value at a time, and then the newest one", async () => {
    const keeping = new LatestSaver(keep);
    for (const value of [1, 2, 3]) keeping.keep(value);
    expect(came).toEqual([1]);
    await arrived();
    expect(came).toEqual([1, 3]);
    await arrived();
    expect(came).toEqual([1, 3]);
  });

  it("continues after a failed save", async () => {
    const keeping = new LatestSaver(keep);
    keeping.keep(1);
    keeping.keep(2);
    await arrived(fail[0]);
    expect(came).toEqual([1, 2]);
  });

  it("flushes once when the page is closing", async () => {
    const keeping = new LatestSaver(keep);
    keeping.keep(1);
    keeping.keep(2, 200);
    keeping.leave();
    expect(came).toEqual([1, 2]);
    keeping.leave();
    await arrived();
    await vi.runAllTimersAsync();
    expect(came).toEqual([1, 2]);
  });
});

it("a layout is saved at once, and after a pause during a drag", async () => {
  const layout = new Layout("a", null, keep);
  layout.set({ tab: "terminal" });
  expect(came).toMatchObject([{ tab: "terminal" }]);
  await arrived();
  for (const panelShare of [40, 41, 42]) layout.set({ panelShare });
  expect(came).toHaveLength(1);
  await vi.runAllTimersAsync();
  expect(came.slice(1)).toMatchObject([{ tab: "terminal", panelShare: 42 }]);
  await arrived();
  layout.set({ panelShare: 50 });
  layout.set({ fill: true });
  expect(came.slice(2)).toMatchObject([{ panelShare: 50, fill: true }]);
  await arrived();
  await vi.runAllTimersAsync();
  expect(came).toHaveLength(3);
});
