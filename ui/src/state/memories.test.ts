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

/** A program whose answers wait to be given. */
function made() {
  const asked: { method: string; params: unknown; give: (total: number) => void; fail: () => void }[] = [];
  const call = ((method: string, params: unknown) =>
    new Promise((give, refuse) =>
      asked.push({
        method,
        params,
        give: (total) => give(answer(total)),
        fail: () => refuse(new CallError("io", "the file cannot be read")),
      }),
    )) as Call;
  return { asked, memories: new Memories(call) };
}

describe("memories", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("search after typing pauses", async () => {
    const { asked, memories } = made();
    for (const text of ["r", "ra", "race "]) memories.want({ text });
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(REST);
    expect(asked.map(({ method, params }) => [method, (params as { query: string }).query])).toEqual([
      ["memory.search", "race"],
    ]);
  });

  it("ignore late answers to earlier queries", async () => {
    const { asked, memories } = made();
    memories.open();
    memories.want({ tag: "auth" });
    asked[1]?.give(2);
    await vi.advanceTimersByTimeAsync(0);
    asked[0]?.give(50);
    await vi.advanceTimersByTimeAsync(0);
    expect([memories.shown?.total, memories.busy]).toEqual([2, false]);
    expect(asked[1]?.params).toMatchObject({ tags: ["auth"] });
  });

  it("keep the last result when a reload fails", async () => {
    const { asked, memories } = made();
    memories.open();
    asked[0]?.give(5);
    await vi.advanceTimersByTimeAsync(0);
    memories.changed();
    asked[1]?.fail();
    await vi.advanceTimersByTimeAsync(0);
    expect([memories.phase.state, memories.shown?.total, memories.busy]).toEqual(["failed", 5, false]);
  });

  it("are not reloaded while they are not shown", () => {
    const { asked, memories } = made();
    memories.changed();
    expect([asked.length, memories.changes]).toEqual([0, 1]);
  });

  it("count active filters", () => {
    const { memories } = made();
    memories.want({ agent: "reviewer" });
    expect(memories.filtered).toBe(true);
    memories.want(EVERYTHING);
    expect(memories.filtered).toBe(false);
  });
});
