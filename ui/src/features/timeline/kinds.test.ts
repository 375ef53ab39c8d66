import { expect, it } from "vitest";
import type { TimelineEvent, TimelineEventKind } from "../../generated/api";
import { isHook, opensSomething } from "./kinds";

const event = (kind: TimelineEventKind, message: string | null = null) =>
  ({ at: "2026-01-19T10:00:00Z", kind, label: "", message }) as TimelineEvent;

it("a hook's run links to its output even if it has a message; other events link to their message", () => {
  expect([event("hook"), event("hook_failed", "m5")].map(isHook)).toEqual([true, true]);
  expect([event("hook"), event("prompt", "m1"), event("pause")].map(opensSomething)).toEqual([true, true, false]);
});
