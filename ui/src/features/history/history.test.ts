import { describe, expect, it } from "vitest";
import { madeSessions } from "../../platform/fake/sessions";
import { EVERYTHING, find, rowsOf, type Query } from "./search";

const NOW = new Date(2026, 10, 20, 12, 0, 0).getTime();
const SESSIONS = madeSessions(NOW);
const titles = (change: Partial<Query>) => find(SESSIONS, () => undefined, { ...EVERYTHING, ...change }, NOW).map((s) => s.title);

describe("searching sessions", () => {
  it("finds by title, bead, agent and date", () => {
    expect(titles({ text: "argon" })).toEqual(["Hash passwords with Argon2id"]);
    expect(titles({ text: "bc-093" })).toEqual(["Reject alg none tokens"]);
    expect(titles({ text: "researcher" })).toEqual(["Research timing leaks in the login path"]);
    expect(titles({ text: "yesterday" })).toEqual(["Compare tokens by digest: plan"]);
    expect(titles({ text: "tokens planner" })).toEqual(["Compare tokens by digest: plan"]);
  });

  it("filters add up", () => {
    expect(titles({ status: "closed", agent: "hlstc-executor", since: "today" })).toEqual(["Reject alg none tokens", "Spans point at the right byte"]);
    expect(titles({ agent: "" })).toEqual(["Research caching options"].concat([]));
    expect(titles({ bead: "BC-111" })).toHaveLength(2);
  });

  it("the newest is first unless asked otherwise", () => {
    expect(titles({ oldestFirst: true })).toEqual(titles({}).reverse());
  });

  it("each day has a heading with its count", () => {
    const rows = rowsOf(find(SESSIONS, () => undefined, EVERYTHING, NOW), NOW);
    const days = rows.filter((row) => row.kind === "day");
    expect(days.map((d) => d.name)).toEqual(["Today", "Yesterday", "Monday 16 November"]);
    expect(days.reduce((n, d) => n + d.count, 0)).toBe(SESSIONS.length);
  });
});
