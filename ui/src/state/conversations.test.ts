import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Message } from "../generated/api";
import type { Host } from "../platform";
import { Conversations } from "./conversations.svelte";

const message = (id: string): Message => ({ id, role: "user", content: id, timestamp: "2026-01-19T10:00:00Z" });
let written: Message[];
let reads: number;
let conversations: Conversations;
beforeEach(async () => {
  vi.useFakeTimers();
  [written, reads] = [[message("a")], 0];
  const call = () => (reads++, Promise.resolve({ messages: [...written], first: 0, warnings: [] }));
  conversations = new Conversations({ call } as unknown as Host, "p");
  conversations.of("s");
  await vi.runAllTimersAsync();
});
afterEach(() => vi.useRealTimers());
const ids = () => conversations.of("s").messages.map((m) => m.id);

describe("a conversation whose session has more messages", () => {
  it("is reloaded if their events were missed", async () => {
    written = [message("a"), message("b"), message("c")];
    conversations.of("s").upsert(message("c"));
    conversations.noteCount("s", 3);
    await vi.runAllTimersAsync();
    expect(ids()).toEqual(["a", "b", "c"]);
    expect(reads).toBe(2);
  });

  it("is not reloaded if the messages arrive a moment later", async () => {
    conversations.noteCount("s", 2);
    conversations.of("s").upsert(message("b"));
    await vi.runAllTimersAsync();
    expect(reads).toBe(1);
  });

  it("is not reloaded repeatedly if a message cannot be read", async () => {
    conversations.noteCount("s", 2);
    await vi.runAllTimersAsync();
    conversations.noteCount("s", 2);
    await vi.runAllTimersAsync();
    conversations.of("s").upsert(message("b"));
    conversations.noteCount("s", 3);
    await vi.runAllTimersAsync();
    expect(reads).toBe(2);
  });
});

describe("a long conversation", () => {
  const requests: [string, unknown][] = [];
  const all = Array.from({ length: 1_000 }, (_, n) => message(`m${n}`));
  const call = (method: string, params: { before?: number; limit: number }) => {
    requests.push([method, params]);
    const end = params.before ?? all.length;
    const first = Math.max(0, end - params.limit);
    return Promise.resolve({
      messages: all.slice(first, end),
      first,
      total: all.length,
      place: null,
      warnings: ["one line is damaged"],
    });
  };
  let long: Conversations;
  beforeEach(async () => {
    requests.length = 0;
    long = new Conversations({ call } as unknown as Host, "p", () => all.length);
    long.of("s");
    await vi.runAllTimersAsync();
  });
  const here = () => [long.of("s").first, long.of("s").messages.length, long.of("s").messages[0]?.id];

  it("loads its end first, and earlier messages on scrolling", async () => {
    expect(here()).toEqual([800, 200, "m800"]);
    expect(long.of("s").warnings).toEqual(["one line is damaged"]);
    await Promise.all([long.earlier("s"), long.earlier("s")]);
    expect(here()).toEqual([600, 400, "m600"]);
    expect(requests).toEqual([
      ["session.page", { id: "s", limit: 200 }],
      ["session.page", { id: "s", before: 800, limit: 200 }],
    ]);
  });

  it("keeps earlier messages when its end is reloaded", async () => {
    await long.earlier("s");
    long.of("s").upsert(message("new"));
    await long.load("s");
    expect(here()).toEqual([600, 400, "m600"]);
    expect(long.of("s").messages.at(-1)?.id).toBe("m999");
  });

  it("skips no message before the loaded part", async () => {
    long.noteCount("s", all.length);
    await vi.runAllTimersAsync();
    expect(requests).toHaveLength(1);
  });

  it("appends no message that is older than the loaded part", () => {
    long.of("s").upsert({ ...message("m3"), timestamp: "2026-01-18T10:00:00Z", content: "changed" });
    expect(long.of("s").messages.some(({ id }) => id === "m3")).toBe(false);
  });

  it("does not take an old message for the answer to a new prompt", async () => {
    long.of("s").delta("draft", 0, "It is", false);
    long.of("s").sent("m5");
    await long.reach("s", "m0");
    expect([long.of("s").writing, long.of("s").pending.length]).toEqual(["It is", 1]);
  });

  it("is loaded page by page up to a requested message, and stays so", async () => {
    await long.reach("s", "m450");
    await long.load("s");
    expect(here()).toEqual([400, 600, "m400"]);
    await long.reach("s", "m0");
    expect(here()).toEqual([0, 1_000, "m0"]);
    expect(requests.every(([method]) => method === "session.page")).toBe(true);
  });
});
