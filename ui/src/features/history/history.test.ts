import { describe, expect, it } from "vitest";
import { madeSessions } from "../../platform/fake/sessions";
import type { SessionView } from "../../generated/api";
import { EVERYTHING, find, requestFor, rowsOf, type Query } from "./search";
import { Selection } from "./selection.svelte";

const NOW = new Date(2026, 10, 20, 12, 0, 0).getTime();
const SESSIONS = madeSessions(NOW);
const titles = (change: Partial<Query>) =>
  find(SESSIONS, () => undefined, { ...EVERYTHING, ...change }, NOW).map((s) => s.title);

/** A session with these active intervals. */
function worked(stretches: [start: string, end: string | undefined][]): SessionView {
  const at = (moment: string) => new Date(moment).toISOString();
  const active_intervals = stretches.map(([start, end]) => ({ start: at(start), ...(end ? { end: at(end) } : {}) }));
  const first = active_intervals[0]?.start ?? "";
  const last = active_intervals.at(-1)?.start ?? "";
  return {
    ...(SESSIONS[0] as SessionView),
    created_at: first,
    started_at: first,
    last_activated_at: last,
    active_intervals,
  };
}

describe("session selection", () => {
  it("toggles single sessions and extends from the last one", () => {
    const selection = new Selection();
    const list = ["a", "b", "c", "d", "e"];
    selection.toggle("b");
    selection.reach("d", list);
    expect([...selection.ids]).toEqual(["b", "c", "d"]);
    selection.toggle("c");
    selection.reach("a", list);
    expect([...selection.ids].sort()).toEqual(["a", "b", "c", "d"]);
    selection.clear();
    selection.reach("e", list);
    expect([...selection.ids]).toEqual(["e"]);
  });
});

describe("session search", () => {
  it("matches title, bead, agent and date", () => {
    expect(titles({ text: "argon" })).toEqual(["Hash passwords with Argon2id"]);
    expect(titles({ text: "bc-093" })).toEqual(["Reject alg none tokens"]);
    expect(titles({ text: "researcher" })).toEqual(["Research timing leaks in the login path"]);
    expect(titles({ text: "yesterday" })).toEqual(["Compare tokens by digest: plan"]);
    expect(titles({ text: "tokens planner" })).toEqual(["Compare tokens by digest: plan"]);
  });

  it("combines filters", () => {
    expect(titles({ status: "closed", agent: "hlstc-executor", since: "today" })).toEqual([
      "Reject alg none tokens",
      "Spans point at the right byte",
    ]);
    expect(titles({ agent: "" })).toEqual(["Research caching options"].concat([]));
    expect(titles({ bead: "BC-111" })).toHaveLength(2);
  });

  it("filters by a part of a file's path and a prefix of a commit hash", () => {
    expect(titles({ file: "SRC/token" })).toEqual(["Reject alg none tokens"]);
    expect(titles({ commit: "4BE19c74" })).toEqual(["Hash passwords with Argon2id"]);
  });

  it("filters by active days, including both ends", () => {
    const between = (first: string, last: string) => titles({ since: "between", first, last });
    expect(between("2026-11-19", "2026-11-19")).toEqual(["Compare tokens by digest: plan"]);
    expect(between("", "2026-11-16")).toEqual([
      "Hash passwords with Argon2id",
      "Research timing leaks in the login path",
    ]);
    expect(between("", "")).toHaveLength(SESSIONS.length);
    const long = worked([
      ["2026-11-10T09:00:00", "2026-11-10T10:00:00"],
      ["2026-11-14T09:00:00", undefined],
    ]);
    const has = (first: string, last: string) =>
      find([long], () => undefined, { ...EVERYTHING, since: "between", first, last }, NOW).length;
    expect([
      has("2026-11-10", "2026-11-10"),
      has("2026-11-11", "2026-11-13"),
      has("2026-11-13", "2026-11-14"),
      has("2026-11-15", ""),
    ]).toEqual([1, 0, 1, 0]);
  });

  it("requests sessions by creation time, from the first one active in the range", () => {
    const long = worked([
      ["2026-11-10T09:00:00", "2026-11-10T10:00:00"],
      ["2026-11-20T09:00:00", undefined],
    ]);
    const request = requestFor({ ...EVERYTHING, text: "argon", since: "today", agent: "" }, [...SESSIONS, long], NOW);
    expect([request.since, request.until, request.agent]).toEqual([long.created_at, null, null]);
    const none = requestFor(
      { ...EVERYTHING, since: "between", first: "2026-11-17", last: "2026-11-18" },
      SESSIONS,
      NOW,
    );
    expect([none.since, none.until]).toEqual([
      new Date(2026, 10, 17).toISOString(),
      new Date(2026, 10, 19).toISOString(),
    ]);
    expect(requestFor(EVERYTHING, SESSIONS, NOW).since).toBeNull();
  });

  it("applies the filters to full-text matches", () => {
    const also = () => true;
    expect(find(SESSIONS, () => undefined, { ...EVERYTHING, text: "no such word" }, NOW, also)).toHaveLength(
      SESSIONS.length,
    );
    expect(find(SESSIONS, () => undefined, { ...EVERYTHING, text: "no such word", agent: "" }, NOW, also)).toHaveLength(
      1,
    );
  });

  it("sorts the newest first by default", () => {
    expect(titles({ oldestFirst: true })).toEqual(titles({}).reverse());
  });

  it("groups by day with a heading and a count", () => {
    const rows = rowsOf(
      find(SESSIONS, () => undefined, EVERYTHING, NOW),
      NOW,
    );
    const days = rows.filter((row) => row.kind === "day");
    expect(days.map((d) => d.name)).toEqual(["Today", "Yesterday", "Monday 16 November"]);
    expect(days.reduce((n, d) => n + d.count, 0)).toBe(SESSIONS.length);
  });
});
