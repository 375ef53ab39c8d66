import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { place, TIP_ID, tips, type Tip } from "./tips.svelte";

const buttons: HTMLElement[] = [];

/** A button with a tooltip. */
function button(text: string): { at: HTMLElement; tip: () => Tip; fire: (type: string, pointerType?: string) => void } {
  const at = document.createElement("button");
  document.body.append(at);
  buttons.push(at);
  const tip = (): Tip => ({ text, side: "bottom" });
  const listeners = tips.listeners(tip) as unknown as Record<string, (event: unknown) => void>;
  return {
    at,
    tip,
    fire: (type, pointerType = "mouse") => listeners[`on${type}`]?.({ currentTarget: at, pointerType }),
  };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  tips.hide();
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  buttons.splice(0).forEach((element) => element.remove());
});

test("shows after the pointer rests on a button, not when it passes", () => {
  const { at, fire } = button("Search");
  fire("pointerenter");
  vi.advanceTimersByTime(399);
  expect(tips.shown).toBeNull();
  vi.advanceTimersByTime(1);
  expect(tips.shown?.tip().text).toBe("Search");
  expect(at.getAttribute("aria-describedby")).toBe(TIP_ID);
  fire("pointerleave");
  expect(tips.shown).toBeNull();
  expect(at.hasAttribute("aria-describedby")).toBe(false);
});

test("shows the next tip at once, and only one at a time", () => {
  const [first, second] = [button("one"), button("two")];
  first.fire("pointerenter");
  vi.advanceTimersByTime(400);
  first.fire("pointerleave");
  second.fire("pointerenter");
  expect(tips.shown?.at).toBe(second.at);
  second.fire("pointerdown");
  vi.advanceTimersByTime(1000);
  expect(tips.shown).toBeNull();
});

test("does not show for touch, and hides when its element is removed", () => {
  const { at, tip, fire } = button("Search");
  fire("pointerenter", "touch");
  vi.advanceTimersByTime(1000);
  expect(tips.shown).toBeNull();
  fire("pointerenter");
  vi.advanceTimersByTime(400);
  tips.gone(() => ({ text: "another", side: "top" }));
  expect(tips.shown?.at).toBe(at);
  tips.gone(tip);
  expect(tips.shown).toBeNull();
  vi.advanceTimersByTime(1000);
  fire("pointerenter");
  at.remove();
  vi.advanceTimersByTime(400);
  expect(tips.shown).toBeNull();
});

test("is placed on its preferred side if there is room, and always in view", () => {
  const view = { width: 1000, height: 600 };
  const tip = { width: 100, height: 20 };
  const at = (left: number, top: number) => new DOMRect(left, top, 30, 30);
  expect(place(at(500, 300), tip, "bottom", view)).toEqual({ left: 465, top: 336 });
  expect(place(at(500, 300), tip, "top", view)).toEqual({ left: 465, top: 274 });
  expect(place(at(500, 300), tip, "right", view)).toEqual({ left: 536, top: 305 });
  expect(place(at(500, 565), tip, "bottom", view)).toEqual({ left: 465, top: 539 });
  expect(place(at(500, 4), tip, "top", view)).toEqual({ left: 465, top: 40 });
  expect(place(at(960, 300), tip, "bottom", view)).toEqual({ left: 892, top: 336 });
  expect(place(at(2, 300), tip, "left", view)).toEqual({ left: 38, top: 305 });
});
