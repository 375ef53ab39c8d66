import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallError } from "../../platform";
import { ConversationSearch } from "./conversation-search.svelte";
import { TYPING_PAUSE_MS } from "./session-search.svelte";

describe("search in a conversation", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function setup(answers: Record<string, number[]>) {
    const shown: number[] = [];
    const queries: string[] = [];
    const ask = ({ text }: { text: string }) => {
      queries.push(text);
      const places = answers[text];
      return places
        ? Promise.resolve({ places, hits: [] })
        : Promise.reject(new CallError("io", "the file cannot be read"));
    };
    const finding = new ConversationSearch("s", ask, (place) => shown.push(place));
    const typed = async (text: string, near?: number) => {
      finding.search(text, near);
      await vi.advanceTimersByTimeAsync(TYPING_PAUSE_MS);
    };
    return { shown, queries, finding, typed };
  }

  it("starts at the last match, and moves both ways with wrapping", async () => {
    const { shown, finding, typed } = setup({ time: [3, 40, 1900] });
    await typed("time");
    finding.step(1);
    finding.step(-1);
    finding.step(-1);
    expect([shown, finding.at]).toEqual([[1900, 3, 1900, 40], 1]);
  });

  it("starts at a requested match", async () => {
    const { shown, typed } = setup({ time: [3, 40, 1900] });
    await typed("time", 40);
    await typed("time", 2000);
    expect(shown).toEqual([40, 1900]);
  });

  it("waits until typing pauses, and skips an empty query", async () => {
    const { queries, finding, typed } = setup({ tim: [1], time: [] });
    finding.search("tim");
    await typed("time");
    await typed("  ");
    expect([queries, finding.places]).toEqual([["time"], null]);
  });

  it("distinguishes a search without matches from a failed one", async () => {
    const { shown, finding, typed } = setup({ none: [] });
    await typed("none");
    finding.step(1);
    expect([finding.places, finding.error, shown]).toEqual([[], null, []]);
    await typed("broken");
    expect([finding.places, finding.error?.message]).toEqual([null, "the file cannot be read"]);
  });
});
