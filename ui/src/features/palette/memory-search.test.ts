import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { MemoryEntry } from "../../generated/api";
import { REST, type Call } from "../../state/memories.svelte";
import { MemorySearch } from "./memory-search.svelte";
import { best, type Entry } from "./search";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function setup() {
  const requests: { query: string; give: (key: string) => void; fail: () => void }[] = [];
  const call = ((_: string, { query }: { query: string }) =>
    new Promise((resolve, reject) =>
      requests.push({
        query,
        give: (key) => resolve({ memories: [{ key } as MemoryEntry] }),
        fail: () => reject(new Error("no")),
      }),
    )) as unknown as Call;
  return { requests, remembered: new MemorySearch(call) };
}

it("searches after typing pauses, and not for a single letter", async () => {
  const { requests, remembered } = setup();
  for (const text of ["r", "ra", "race"]) remembered.search(text);
  await vi.advanceTimersByTimeAsync(REST);
  expect(requests.map(({ query }) => query)).toEqual(["race"]);
  requests[0]?.give("race-flag");
  await vi.advanceTimersByTimeAsync(0);
  expect(remembered.found.map(({ key }) => key)).toEqual(["race-flag"]);
  remembered.search("r");
  expect(remembered.found).toEqual([]);
});

it("drops the answer to an earlier query, and treats a failure as no result", async () => {
  const { requests, remembered } = setup();
  remembered.search("race");
  await vi.advanceTimersByTimeAsync(REST);
  remembered.search("argon");
  await vi.advanceTimersByTimeAsync(REST);
  requests[0]?.give("race-flag");
  await vi.advanceTimersByTimeAsync(0);
  expect(remembered.found).toEqual([]);
  requests[1]?.fail();
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
