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

  it("filters by a part of a file's path and the beginning of a commit's hash", () => {
    expect(titles({ file: "SRC/token" })).toEqual(["Reject alg none tokens"]);
    expect(titles({ commit: "4BE19c74" })).toEqual(["Hash passwords with Argon2id"]);
  });

  it("what was found in what was said counts, within the filters", () => {
    const also = () => true;
    expect(find(SESSIONS, () => undefined, { ...EVERYTHING, text: "no such word" }, NOW, also)).toHaveLength(SESSIONS.length);
    expect(find(SESSIONS, () => undefined, { ...EVERYTHING, text: "no such word", agent: "" }, NOW, also)).toHaveLength(1);
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
