import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Query, SearchAnswer } from "../../generated/api";
import { CallError } from "../../platform";
import { searchOf } from "../../platform/fake/search";
import { FakeState } from "../../platform/fake/state";
import { SessionSearch, TYPING_PAUSE_MS } from "./session-search.svelte";

const NOTHING: SearchAnswer = { sessions: [], more: false, behind: 0, notes: [] };

describe("full-text search in sessions", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function setup() {
    const requests: { query: Query; answer: (answer: SearchAnswer) => void; refuse: (error: unknown) => void }[] = [];
    const found = new SessionSearch(
      (query) => new Promise((answer, refuse) => requests.push({ query, answer, refuse })),
    );
    const typed = async (text: string) => {
      found.search({ text });
      await vi.advanceTimersByTimeAsync(TYPING_PAUSE_MS);
    };
    return { requests, found, typed };
  }
  const answerFor = (query: Query) => searchOf(new FakeState(new URLSearchParams()), query);

  it("waits until typing pauses", async () => {
    const { requests, found, typed } = setup();
    found.search({ text: "a" });
    found.search({ text: "ar" });
    await typed("arg");
    expect(requests.map((one) => one.query.text)).toEqual(["arg"]);
  });

  it("ignores the answer to an earlier query", async () => {
    const { requests, found, typed } = setup();
    await typed("argon");
    await typed("tokens");
    const late = answerFor({ text: "argon" });
    const right = answerFor({ text: "tokens" });
    expect(late.sessions.length).toBeGreaterThan(0);
    requests[1]?.answer(right);
    requests[0]?.answer(late);
    await vi.runAllTimersAsync();
    expect([...found.sessions.keys()]).toEqual(right.sessions.map((one) => one.session.id));
    expect(found.busy).toBe(false);
  });

  it("appends the next page", async () => {
    const { requests, found, typed } = setup();
    await typed("o");
    const all = answerFor({ text: "o" }).sessions;
    requests[0]?.answer({ sessions: all.slice(0, 2), more: true, behind: 0, notes: [] });
    await vi.runAllTimersAsync();
    void found.next();
    expect(requests[1]?.query.skip).toBe(2);
    requests[1]?.answer({ ...NOTHING, sessions: all.slice(2, 3) });
    await vi.runAllTimersAsync();
    expect([found.sessions.size, found.more]).toEqual([3, false]);
  });

  it("shows partial results and polls until the search is complete", async () => {
    const { requests, found, typed } = setup();
    await typed("o");
    const all = answerFor({ text: "o" }).sessions;
    requests[0]?.answer({
      sessions: all.slice(0, 1),
      more: false,
      behind: 3,
      notes: ["3 sessions are still being read"],
    });
    await vi.runAllTimersAsync();
    expect([found.sessions.size, found.busy, found.notes.length, requests.length]).toEqual([1, true, 1, 2]);
    requests[1]?.answer({ ...NOTHING, sessions: all.slice(0, 3) });
    await vi.runAllTimersAsync();
    expect([found.sessions.size, found.busy, found.notes.length, requests.length]).toEqual([3, false, 0, 2]);
  });

  it("loads all results on demand, and reports when it cannot", async () => {
    const { requests, found, typed } = setup();
    await typed("o");
    const all = answerFor({ text: "o" }).sessions;
    requests[0]?.answer({ sessions: all.slice(0, 1), more: true, behind: 0, notes: [] });
    await vi.runAllTimersAsync();
    const loading = found.all();
    expect([requests[1]?.query.skip, requests[1]?.query.limit]).toEqual([1, 500]);
    requests[1]?.answer({ ...NOTHING, sessions: all.slice(1) });
    expect([await loading, found.sessions.size]).toEqual([true, all.length]);
    await typed("e");
    requests[2]?.answer({ sessions: all.slice(0, 1), more: true, behind: 0, notes: [] });
    await vi.runAllTimersAsync();
    const part = found.all();
    requests[3]?.refuse(new CallError("io", "the cache cannot be read"));
    expect(await part).toBe(false);
  });

  it("is empty without a query", async () => {
    const { requests, found, typed } = setup();
    await typed("argon");
    requests[0]?.answer(answerFor({ text: "argon" }));
    await vi.runAllTimersAsync();
    await typed("  ");
    expect([requests.length, found.sessions.size, found.busy]).toEqual([1, 0, false]);
  });

  it("reports a failure until a retry succeeds", async () => {
    const { requests, found, typed } = setup();
    await typed("argon");
    requests[0]?.refuse(new CallError("io", "the cache cannot be written"));
    await vi.runAllTimersAsync();
    expect([found.error?.message, found.busy]).toEqual(["the cache cannot be written", false]);
    found.again();
    await vi.advanceTimersByTimeAsync(TYPING_PAUSE_MS);
    requests[1]?.answer(NOTHING);
    await vi.runAllTimersAsync();
    expect(found.error).toBeNull();
  });
});
