import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Layout } from "./layout.svelte";

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
});
afterEach(() => void vi.useRealTimers());

it("is told at once, and where something is dragged when it rests", () => {
  const told: unknown[] = [];
  const layout = new Layout("a", null, (kept) => told.push(kept));
  layout.set({ tab: "terminal" });
  expect(told).toMatchObject([{ tab: "terminal" }]);
  for (const panelShare of [40, 41, 42]) layout.set({ panelShare });
  expect(told).toHaveLength(1);
  vi.runAllTimers();
  expect(told.slice(1)).toMatchObject([{ tab: "terminal", panelShare: 42 }]);
  layout.set({ panelShare: 50 });
  layout.set({ fill: true });
  vi.runAllTimers();
  expect(told.slice(2)).toMatchObject([{ panelShare: 50, fill: true }]);
});
