import { describe, expect, it, vi } from "vitest";
import type { Timeline } from "../../generated/api";
import { CallError } from "../../platform";
import { fakeHost } from "../../platform/fake";
import { madeSessions, sessionId } from "../../platform/fake/sessions";
import { kindOf, UNKNOWN } from "./kinds";
import { linesOf, stripOf } from "./stretches";
import { Times } from "./times.svelte";

const nothing = (): Timeline => ({ bands: [], events: [], warnings: [] });

describe("session timeline", () => {
  it("coalesces changes during a read into one more read", async () => {
    const answers: ((timeline: Timeline) => void)[] = [];
    const times = new Times(
      { call: () => new Promise((answer) => answers.push(answer as (timeline: Timeline) => void)) },
      "s",
    );
    const read = times.read();
    void times.read();
    void times.read();
    answers[0]?.(nothing());
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.({ ...nothing(), warnings: ["the last"] });
    await read;
    expect([times.timeline.warnings, times.phase.state]).toEqual([["the last"], "ready"]);
  });

  it("reports a failed read", async () => {
    const times = new Times({ call: () => Promise.reject(new CallError("io", "the disk is gone")) }, "s");
    await times.read();
    expect(times.phase).toMatchObject({ state: "failed", error: { message: "the disk is gone" } });
  });

  it("draws and lists every sample session, with a line for every mark", async () => {
    const host = fakeHost();
    const now = Date.now();
    for (const { id } of madeSessions(now)) {
      const timeline = await host.call("session.timeline", { id }, "gatehouse");
      const marks = stripOf(timeline, now).segments.flatMap(({ ticks }) => ticks.flatMap(({ events }) => events));
      const listed = linesOf(timeline, now, "all").flatMap((line) => (line.kind === "event" ? [line.event] : []));
      if (timeline.bands.length > 0) expect(new Set(marks)).toEqual(new Set(listed));
      expect(listed).toHaveLength(timeline.events.length);
    }
    expect((await host.call("session.timeline", { id: sessionId(10) }, "gatehouse")).bands.length).toBeGreaterThan(100);
  });

  it("shows event kinds of newer versions as other", () => {
    expect(kindOf("moved" as Timeline["events"][number]["kind"])).toBe(UNKNOWN);
  });
});
