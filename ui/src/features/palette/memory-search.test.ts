import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { MemoryEntry } from "../../generated/api";
import { REST, type Call } from "../../state/memories.svelte";
import { MemorySearch } from "./memory-search.svelte";
import { best, type Entry } from "./search";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function made() {
  const asked: { query: string; give: (key: string) => void; fail: () => void }[] = [];
  const call = ((_: string, { query }: { query: string }) =>
    new Promise((resolve, reject) =>
      asked.push({
        query,
        give: (key) => resolve({ memories: [{ key } as MemoryEntry] }),
        fail: () => reject(new Error("no")),
      }),
    )) as unknown as Call;
  return { asked, remembered: new MemorySearch(call) };
}

it("searches after typing pauses, and not for a single letter", async () => {
  const { asked, remembered } = made();
  for (const text of ["r", "ra", "race"]) remembered.look(text);
  await vi.advanceTimersByTimeAsync(REST);
  expect(asked.map(({ query }) => query)).toEqual(["race"]);
  asked[0]?.give("race-flag");
  await vi.advanceTimersByTimeAsync(0);
  expect(remembered.found.map(({ key }) => key)).toEqual(["race-flag"]);
  remembered.look("r");
  expect(remembered.found).toEqual([]);
});

it("drops the answer to an earlier query, and treats a failure as no result", async () => {
  const { asked, remembered } = made();
  remembered.look("race");
  await vi.advanceTimersByTimeAsync(REST);
  remembered.look("argon");
  await vi.advanceTimersByTimeAsync(REST);
  asked[0]?.give("race-flag");
  await vi.advanceTimersByTimeAsync(0);
  expect(remembered.found).toEqual([]);
  asked[1]?.fail();
  await vi.advanceTimersByTimeAsync(0);
  expect(remembered.found).toEqual([]);
});

it("offers full-text matches after better matching titles", () => {
  const entries: Entry[] = [
    { key: "m", title: "Emails", more: "", found: true },
    { key: "r", title: "Race", more: "" },
    { key: "o", title: "Other", more: "" },
  ];
  expect(best(entries, "race", 10).map(({ key }) => key)).toEqual(["r", "m"]);
});
