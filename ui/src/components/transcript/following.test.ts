import { expect, it, vi } from "vitest";
import { Following } from "./following.svelte";

it("asks for more where what is there does not fill the view, and not once the view is gone", () => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
  const near = vi.fn();
  const following = new Following(true, { count: () => 0, ends: () => true, near });
  const leave = following.watch(document.createElement("div"));
  following.fill();
  expect(near).toHaveBeenCalledWith("first");
  leave();
  near.mockClear();
  following.fill();
  expect(near).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});
