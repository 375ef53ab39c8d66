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
  const call = () => (reads++, Promise.resolve({ messages: [...written], warnings: [] }));
  conversations = new Conversations({ call } as unknown as Host, "p");
  conversations.of("s");
  await vi.runAllTimersAsync();
});
afterEach(() => vi.useRealTimers());
const ids = () => conversations.of("s").messages.map((m) => m.id);

describe("a conversation whose session counts more messages", () => {
  it("is read again: nobody listened when they were recorded", async () => {
    written = [message("a"), message("b"), message("c")];
    conversations.of("s").upsert(message("c"));
    conversations.counts("s", 3);
    await vi.runAllTimersAsync();
    expect(ids()).toEqual(["a", "b", "c"]);
    expect(reads).toBe(2);
  });

  it("is not where they come a moment later", async () => {
    conversations.counts("s", 2);
    conversations.of("s").upsert(message("b"));
    await vi.runAllTimersAsync();
    expect(reads).toBe(1);
  });

  it("is not again and again where one cannot be read", async () => {
    conversations.counts("s", 2);
    await vi.runAllTimersAsync();
    conversations.counts("s", 2);
    await vi.runAllTimersAsync();
    conversations.of("s").upsert(message("b"));
    conversations.counts("s", 3);
    await vi.runAllTimersAsync();
    expect(reads).toBe(2);
  });
});
