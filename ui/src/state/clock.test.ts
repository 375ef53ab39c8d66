import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Clock } from "./clock.svelte";

let visible: DocumentVisibilityState = "visible";
const show = (state: DocumentVisibilityState) => {
  visible = state;
  document.dispatchEvent(new Event("visibilitychange"));
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visible);
  visible = "visible";
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("ticks without a running session, and faster with one", () => {
  const clock = new Clock();
  const begun = clock.now;
  vi.advanceTimersByTime(60_000);
  expect(clock.now - begun).toBe(60_000);
  const stop = clock.run();
  vi.advanceTimersByTime(10_000);
  expect(clock.now - begun).toBe(70_000);
  stop();
  vi.advanceTimersByTime(59_000);
  expect(clock.now - begun).toBe(70_000);
});

it("stops in a hidden window, and is correct as soon as it is shown", () => {
  const clock = new Clock();
  const begun = clock.now;
  show("hidden");
  vi.advanceTimersByTime(600_000);
  expect([clock.now - begun, vi.getTimerCount()]).toEqual([0, 0]);
  show("visible");
  expect(clock.now - begun).toBe(600_000);
});
