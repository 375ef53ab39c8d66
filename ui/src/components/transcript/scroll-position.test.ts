import { expect, it, vi } from "vitest";
import { ScrollPosition } from "./scroll-position.svelte";

it("loads more until the view is filled, and stops when the view is gone", () => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
  const near = vi.fn();
  const following = new ScrollPosition(true, { count: () => 0, ends: () => true, near });
  const leave = following.watch(document.createElement("div"));
  following.fill();
  expect(near).toHaveBeenCalledWith("first");
  leave();
  near.mockClear();
  following.fill();
  expect(near).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});
