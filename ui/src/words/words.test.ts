import { describe, expect, it } from "vitest";
import type { PermissionRequest } from "../generated/api";
import { plural, short } from "./count";
import { initialsOf, isAgent } from "./people";
import { liveOf, madeSessions } from "../platform/fake/sessions";
import { asksInTerminal, doing, queuedUntil, silent } from "./activity";
import { requestTitle, wordOf } from "./session";
import { firstClause, oneLine, pieces, sentence, visible } from "./text";
import { ago, day, dayStamp, dayStart, duration, elapsed, localMinute } from "./time";

const NOW = new Date(2026, 10, 20, 12, 0, 0).getTime();
const before = (ms: number) => new Date(NOW - ms).toISOString();
const HOUR = 3_600_000;

describe("time", () => {
  it("shows durations with two parts at most", () => {
    expect([0, 59_000, 8 * 60_000, 72 * 60_000, 125 * 60_000, 76 * HOUR].map((ms) => duration(ms))).toEqual([
      "0m",
      "0m",
      "8m",
      "1h 12m",
      "2h 05m",
      "3d 4h",
    ]);
    expect(duration(24_000, true)).toBe("24 s");
    expect(duration(-5)).toBe("0m");
    expect([420, 14_200, 66_000].map(elapsed)).toEqual(["0.4 s", "14.2 s", "1m 06s"]);
  });

  it("shows moments as relative time or as a date", () => {
    expect([1000, 24_000, 300_000, 3 * HOUR, 40 * HOUR].map((ms) => ago(before(ms), NOW))).toEqual([
      "just now",
      "24 s ago",
      "5m ago",
      "3h ago",
      "18 Nov",
    ]);
    expect(ago("nonsense", NOW)).toBe("");
  });

  it("uses the local day in file names", () => {
    expect([dayStamp(NOW), dayStamp(new Date(2026, 0, 3, 0, 0, 1).getTime())]).toEqual(["2026-11-20", "2026-01-03"]);
    expect([localMinute(NOW), localMinute(new Date(2026, 0, 3, 4, 5, 59).getTime()), localMinute(NaN)]).toEqual([
      "2026-11-20T12:00",
      "2026-01-03T04:05",
      "",
    ]);
  });

  it("reads a local day", () => {
    expect([dayStart("2026-11-30", 1), dayStart("2026-11-30")]).toEqual([
      new Date(2026, 11, 1),
      new Date(2026, 10, 30),
    ]);
    expect([dayStart(""), dayStart("today")]).toEqual([null, null]);
  });

  it("uses common names for days", () => {
    expect([0, 24 * HOUR, 96 * HOUR, 400 * 24 * HOUR].map((ms) => day(before(ms), NOW))).toEqual([
      "Today",
      "Yesterday",
      "Monday 16 November",
      "16 October 2025",
    ]);
  });
});

describe("counts and names", () => {
  it("shortens numbers", () => {
    expect([840, 3100, 84_120, 999_400, 999_900, 1_240_000].map(short)).toEqual([
      "840",
      "3.1k",
      "84k",
      "999k",
      "1M",
      "1.2M",
    ]);
    expect([plural(1, "hit"), plural(1204, "hit")]).toEqual(["1 hit", "1,204 hits"]);
  });

  it("shows initials for people, not for agents", () => {
    expect(["Mara Klein", "dana.voss@example.org", "root"].map(initialsOf)).toEqual(["MK", "DV", "RO"]);
    expect(isAgent("dv/5e551001")).toBe(true);
    expect(isAgent("Mara Klein")).toBe(false);
  });
});

describe("Claude's activity", () => {
  it("decides when a queued message is sent", () => {
    expect(queuedUntil(null)).toBe("Sends when Claude is ready.");
    expect(queuedUntil(liveOf({ activity: "idle", hold: null }))).toBe(null);
    expect(queuedUntil(liveOf({ activity: "waiting_permission" }))).toBe("Sends when this turn ends.");
    expect(queuedUntil(liveOf({ activity: "unknown", hold: "the last text did not show up" }))).toContain(
      "Check the terminal.",
    );
  });

  it("stays ending after Claude has ended, even with an open request", () => {
    const session = madeSessions(0).find((s) => s.live !== null && s.live?.permissions.length);
    if (!session?.live) throw new Error("a sample session asks");
    expect([wordOf(session), wordOf({ state: "ending" }), wordOf({ state: "dialog_open" })]).toEqual([
      "Needs you",
      "Ending",
      "Needs you",
    ]);
    expect(doing({ ...session.live, activity: "gone" as const }, true)).toBe("Ending");
    const dialog = { ...session.live, permissions: [], activity: "dialog_open" as const };
    expect([doing(dialog, false), asksInTerminal(dialog)]).toEqual([
      "Dialog open",
      "A dialog is open in the terminal.",
    ]);
  });
});

it("says why the chat cannot follow a Claude that never calls a hook", () => {
  const live = { ...liveOf({ activity: "starting" }), hooks_seen: false, activity_since: "2026-01-19T10:00:00Z" };
  const after = (seconds: number) => Date.parse(live.activity_since) + seconds * 1000;
  expect(silent(live, after(60))).toContain("hooks may be disabled");
  expect(silent(live, after(10)), "it may be starting").toBe(null);
  expect(silent({ ...live, hooks_seen: true }, after(60))).toBe(null);
  expect(silent({ ...live, activity: "asks_at_start" }, after(60)), "it says what it asks").toBe(null);
  expect(silent(null, after(60))).toBe(null);
});

describe("untrusted text", () => {
  it("is one line without control characters", () => {
    expect(oneLine(" a\u202Eb\nc\u001b[2J\u0007 \u200Bd ")).toBe("ab c[2J d");
  });

  it("keeps its lines and shows invisible characters where the user decides on it", () => {
    expect(visible("rm -rf /tmp/x\u202E # \u001b[2J\n\tsafe\u200B")).toBe(
      "rm -rf /tmp/x⟨U+202E⟩ # ⟨U+001B⟩[2J\n\tsafe⟨U+200B⟩",
    );
  });

  it("can be reduced to its first clause", () => {
    expect([firstClause("a dialog may be open; look"), firstClause("plain")]).toEqual([
      "a dialog may be open",
      "plain",
    ]);
  });

  it("becomes a sentence", () => {
    expect(["install it", "`claude update`", "Done.", " why? ", ""].map(sentence)).toEqual([
      "Install it.",
      "`claude update`.",
      "Done.",
      "Why?",
      "",
    ]);
  });

  it("separates code between backticks", () => {
    expect(pieces("Run `git init` now")).toEqual([
      { text: "Run ", code: false },
      { text: "git init", code: true },
      { text: " now", code: false },
    ]);
  });

  it("shortens a permission request", () => {
    const ask = (tool: string, input: unknown): PermissionRequest => ({
      id: "1",
      tool,
      input,
      subagent: null,
      lasting: [],
      asked_at: before(0),
    });
    expect(requestTitle(ask("Bash", { command: "git push --set-upstream origin x" }))).toBe("Allow git push");
    expect(requestTitle(ask("Bash", { command: "ls -la /tmp" }))).toBe("Allow ls");
    expect(requestTitle(ask("Edit", { file_path: "/home/dev/src/login.rs" }))).toBe("Allow edit of login.rs");
    expect(requestTitle(ask("AskUserQuestion", { questions: [{ question: "Which?" }] }))).toBe("Which?");
    expect(requestTitle(ask("Odd", null))).toBe("Allow Odd");
  });
});
