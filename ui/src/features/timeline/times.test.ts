import { describe, expect, it } from "vitest";
import type { Timeline } from "../../generated/api";
import { CallError } from "../../platform";
import { fakeHost } from "../../platform/fake";
import { madeSessions, sessionId } from "../../platform/fake/sessions";
import { kindOf, UNKNOWN } from "./kinds";
import { linesOf, stripOf } from "./stretches";
import { Times } from "./times.svelte";

const nothing = (): Timeline => ({ bands: [], events: [], warnings: [] });

describe("when a session did what", () => {
  it("is read once more when it did something while it was being read", async () => {
    const answers: ((timeline: Timeline) => void)[] = [];
    const times = new Times(
      { call: () => new Promise((answer) => answers.push(answer as (timeline: Timeline) => void)) },
      "s",
    );
    const read = times.read();
    void times.read();
    void times.read();
    answers[0]?.(nothing());
    await Promise.resolve();
    await Promise.resolve();
    expect(answers).toHaveLength(2);
    answers[1]?.({ ...nothing(), warnings: ["the last"] });
    await read;
    expect([times.timeline.warnings, times.phase.state]).toEqual([["the last"], "ready"]);
  });

  it("says why it could not be read", async () => {
    const times = new Times({ call: () => Promise.reject(new CallError("io", "the disk is gone")) }, "s");
    await times.read();
    expect(times.phase).toMatchObject({ state: "failed", error: { message: "the disk is gone" } });
  });

  it("every made-up session can be drawn and told, and every mark is in a line", async () => {
    const host = fakeHost();
    const now = Date.now();
    for (const { id } of madeSessions(now)) {
      const timeline = await host.call("session.timeline", { id }, "gatehouse");
      const marks = stripOf(timeline, now).segments.flatMap(({ ticks }) => ticks.flatMap(({ events }) => events));
      const told = linesOf(timeline, now, "all").flatMap((line) => (line.kind === "event" ? [line.event] : []));
      if (timeline.bands.length > 0) expect(new Set(marks)).toEqual(new Set(told));
      expect(told).toHaveLength(timeline.events.length);
    }
    expect((await host.call("session.timeline", { id: sessionId(10) }, "gatehouse")).bands.length).toBeGreaterThan(100);
  });

  it("what a newer version tells is told as something else, not lost", () => {
    expect(kindOf("moved" as Timeline["events"][number]["kind"])).toBe(UNKNOWN);
  });
});
