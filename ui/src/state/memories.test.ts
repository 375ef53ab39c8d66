import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MemoryList } from "../generated/api";
import { CallError } from "../platform";
import { EVERYTHING, Memories, REST, type Call } from "./memories.svelte";

const answer = (total: number): MemoryList => ({
  memories: [],
  total,
  kept_in: "file",
  facets: { agents: [], sessions: [], tags: [] },
  duplicates: [],
  warnings: [],
});

/** A host whose answers the test releases. */
function setup() {
  const requests: { method: string; params: unknown; give: (total: number) => void; fail: () => void }[] = [];
  const call = ((method: string, params: unknown) =>
    new Promise((give, refuse) =>
      requests.push({
        method,
        params,
        give: (total) => give(answer(total)),
        fail: () => refuse(new CallError("io", "the file cannot be read")),
      }),
    )) as Call;
  return { requests, memories: new Memories(call) };
}

describe("memories", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("search after typing pauses", async () => {
    const { requests, memories } = setup();
    for (const text of ["r", "ra", "race "]) memories.want({ text });
    expect(requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(REST);
    expect(requests.map(({ method, params }) => [method, (params as { query: string }).query])).toEqual([
      ["memory.search", "race"],
    ]);
  });

  it("ignore late answers to earlier queries", async () => {
    const { requests, memories } = setup();
    memories.open();
    memories.want({ tag: "auth" });
    requests[1]?.give(2);
    await vi.advanceTimersByTimeAsync(0);
    requests[0]?.give(50);
    await vi.advanceTimersByTimeAsync(0);
    expect([memories.shown?.total, memories.busy]).toEqual([2, false]);
    expect(requests[1]?.params).toMatchObject({ tags: ["auth"] });
  });

  it("keep the last result when a reload fails", async () => {
    const { requests, memories } = setup();
    memories.open();
    requests[0]?.give(5);
    await vi.advanceTimersByTimeAsync(0);
    memories.changed();
    requests[1]?.fail();
    await vi.advanceTimersByTimeAsync(0);
    expect([memories.phase.state, memories.shown?.total, memories.busy]).toEqual(["failed", 5, false]);
  });

  it("are not reloaded while they are not shown", () => {
    const { requests, memories } = setup();
    memories.changed();
    expect([requests.length, memories.changes]).toEqual([0, 1]);
  });

  it("count active filters", () => {
    const { memories } = setup();
    memories.want({ agent: "reviewer" });
    expect(memories.filtered).toBe(true);
    memories.want(EVERYTHING);
    expect(memories.filtered).toBe(false);
  });
});
