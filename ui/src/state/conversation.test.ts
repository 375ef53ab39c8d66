import { describe, expect, it } from "vitest";
import type { Message } from "../generated/api";
import { Conversation } from "./conversation.svelte";

const message = (id: string, content: string, over: Partial<Message> = {}): Message => ({
  id,
  role: "assistant",
  content,
  timestamp: "2026-01-19T10:00:00Z",
  ...over,
});
const contents = (conversation: Conversation) => conversation.messages.map((m) => m.content);

describe("recorded messages", () => {
  it("keep their place when they grow", () => {
    const conversation = new Conversation();
    conversation.upsert(message("a", "1"));
    conversation.upsert(message("b", "2"));
    conversation.upsert(message("a", "1, and more"));
    conversation.upsert(message("c", "3"));
    expect(contents(conversation)).toEqual(["1, and more", "2", "3"]);
  });

  it("take the place of their partial ones", () => {
    const conversation = new Conversation();
    conversation.upsert(message("partial-1", "half", { partial: true }));
    conversation.upsert(message("b", "2"));
    conversation.upsert(message("a", "half and more", { replaces: "partial-1" }));
    conversation.upsert(message("a", "half and more, grown", { replaces: "partial-1" }));
    expect(contents(conversation)).toEqual(["half and more, grown", "2"]);
  });

  it("that arrive during a read are newer than its result", () => {
    const conversation = new Conversation();
    const [late, new_] = [message("b", "2, grown"), message("c", "3")];
    conversation.replace([message("a", "1"), message("b", "2")], [late, new_]);
    expect(contents(conversation)).toEqual(["1", "2, grown", "3"]);
  });
});

describe("sent prompt", () => {
  it("is hidden after its recording was read without an event", () => {
    const conversation = new Conversation();
    const before = message("a", "hello", { role: "user" });
    conversation.replace([before]);
    conversation.sent("hello");
    conversation.replace([before]);
    expect(conversation.pending).toHaveLength(1);
    conversation.replace([before, message("b", "hello", { role: "user" })]);
    expect(conversation.pending).toHaveLength(0);
  });

  it("is hidden when its recording arrives before the answer to the sending", () => {
    const conversation = new Conversation();
    conversation.replace([message("a", "hello", { role: "user" })]);
    const known = conversation.messages;
    conversation.sent("hello", known);
    expect(conversation.pending).toHaveLength(1);
    conversation.upsert(message("b", "hello", { role: "user" }));
    conversation.sent("hello", known);
    expect(conversation.pending).toHaveLength(0);
  });
});

describe("streamed reply", () => {
  it("grows with each piece, and is replaced by its recording", () => {
    const conversation = new Conversation();
    conversation.delta("a", 0, "The lookup ", false);
    conversation.delta("a", 1, "runs first.", true);
    expect(conversation.writing).toBe("The lookup runs first.");
    conversation.upsert(message("a", "The lookup runs first."));
    expect(conversation.writing).toBe("");
    expect(contents(conversation)).toEqual(["The lookup runs first."]);
  });

  it("is not repeated when the recording comes before the last piece", () => {
    const conversation = new Conversation();
    conversation.delta("a", 0, "The lookup\n", false);
    conversation.upsert(message("a", "The lookup\nruns first."));
    conversation.delta("a", 1, "runs first.", true);
    expect(conversation.writing).toBe("");
  });

  it("is not repeated when the last piece follows a recording under another ID", () => {
    const conversation = new Conversation();
    conversation.upsert(message("u", "go on", { role: "user" }));
    conversation.upsert(message("msg_1", "Done:  the tools\nran."));
    conversation.delta("b411522a", 0, "Done: the tools ran.", true);
    expect(conversation.writing).toBe("");
    conversation.upsert(message("v", "again", { role: "user" }));
    conversation.delta("66a94d58", 0, "Done: the tools ran.", true);
    expect(conversation.writing).toBe("Done: the tools ran.");
  });

  it("is complete and in order when one piece overtakes another", () => {
    const conversation = new Conversation();
    const seen: string[] = [];
    const piece = (index: number, text: string, last = false) => {
      conversation.delta("a", index, text, last);
      seen.push(conversation.writing);
    };
    piece(1, "two\n");
    piece(0, "one\n");
    piece(3, "", true);
    piece(2, "three");
    expect(seen).toEqual(["", "one\ntwo\n", "one\ntwo\n", "one\ntwo\nthree"]);
    expect(conversation.draft?.whole).toBe(true);
  });

  it("ignores repeated pieces", () => {
    const conversation = new Conversation();
    conversation.delta("a", 0, "one ", false);
    conversation.delta("a", 0, "one ", false);
    conversation.delta("a", 1, "two", true);
    expect(conversation.writing).toBe("one two");
  });

  it("starts at the first received piece if the beginning was missed", () => {
    const conversation = new Conversation();
    for (let index = 40; index < 45; index++) conversation.delta("a", index, `line ${index}\n`, false);
    expect(conversation.writing).toBe("line 40\nline 41\nline 42\nline 43\nline 44\n");
  });

  it("ignores pieces after the recording", () => {
    const conversation = new Conversation();
    conversation.delta("b411522a", 0, "one\n", false);
    conversation.upsert(message("msg_1", "one\ntwo"));
    conversation.delta("66a94d58", 0, "The next", false);
    conversation.delta("b411522a", 1, "two", true);
    expect(conversation.writing).toBe("The next");
  });

  it("restarts with another message", () => {
    const conversation = new Conversation();
    conversation.delta("a", 0, "Old.", false, 10);
    conversation.delta("b", 0, "New.", false, 20);
    expect(conversation.writing).toBe("New.");
    expect(conversation.draft?.since).toBe(20);
  });

  it("is dropped when the turn is interrupted or fails", () => {
    for (const kind of ["interrupted", "api_error"] as const) {
      const conversation = new Conversation();
      conversation.delta("a", 0, "Half a sent", false);
      conversation.upsert(message("s", "stopped", { role: "system", kind }));
      expect(conversation.writing).toBe("");
    }
  });

  it("stays until its recording, even if other messages are recorded meanwhile", () => {
    const conversation = new Conversation();
    const tools = (output?: string) =>
      message("msg_1", "I will look.", {
        tool_calls: [{ id: "t", tool: "Bash", input: {}, ...(output === undefined ? {} : { output }) }],
      });
    conversation.upsert(tools());
    const began = Date.parse("2026-01-19T10:00:05Z");
    conversation.delta("b411522a", 0, "Done: the tools ran.", true, began);
    // Neither tool results nor a late delivery of an older message end the draft.
    conversation.upsert(tools("ran"));
    conversation.upsert(message("msg_2", "One more thing.", { timestamp: "2026-01-19T10:00:04Z" }));
    conversation.upsert(message("u", "also this", { role: "user", timestamp: "2026-01-19T10:00:04Z" }));
    expect(conversation.writing).toBe("Done: the tools ran.");
    conversation.upsert(message("msg_3", "Done: the tools ran.", { timestamp: "2026-01-19T10:00:05Z" }));
    expect(conversation.writing).toBe("");
    expect(conversation.draft).toBe(null);
  });

  it("is dropped when a later message is recorded, even if its recording has another text", () => {
    for (const role of ["user", "assistant"] as const) {
      const conversation = new Conversation();
      conversation.delta("b411522a", 0, "It costs 5 ¢.", true, Date.parse("2026-01-19T10:00:05Z"));
      conversation.upsert(message("x", "", { timestamp: "2026-01-19T10:00:06Z" }));
      expect(conversation.writing).toBe("It costs 5 ¢.");
      conversation.upsert(message("y", "Something else.", { role, timestamp: "2026-01-19T10:00:06Z" }));
      expect(conversation.writing).toBe("");
    }
  });

  it("stays during a reload until the reload contains it", () => {
    const conversation = new Conversation();
    const before = message("u", "go on", { role: "user" });
    conversation.replace([before]);
    conversation.delta("b411522a", 0, "A very long message.", true);
    conversation.missed();
    expect(conversation.writing).toBe("A very long message.");
    conversation.replace([before, message("msg_1", "A very long message.")]);
    expect(conversation.draft).toBe(null);
  });

  it("continues while the user and subagents add messages", () => {
    const conversation = new Conversation();
    conversation.delta("a", 0, "Still going", false);
    conversation.upsert(message("u", "also this", { role: "user" }));
    conversation.upsert(message("x", "from below", { subagent: "s1" }));
    expect(conversation.writing).toBe("Still going");
  });
});

describe("unrecorded prompt", () => {
  it("is shown until it is recorded", () => {
    const conversation = new Conversation();
    conversation.sent("Go on,\nplease");
    conversation.upsert(message("u", "Something else", { role: "user" }));
    expect(conversation.pending.map((p) => p.text)).toEqual(["Go on,\nplease"]);
    conversation.upsert(message("v", "Go on, please", { role: "user" }));
    expect(conversation.pending).toEqual([]);
  });

  it("is dropped once it is answered, however it was recorded", () => {
    const conversation = new Conversation();
    conversation.sent("Go on", [], Date.parse("2026-01-19T10:00:05Z"));
    const later = "2026-01-19T10:00:06Z";
    conversation.upsert(message("x", "from below", { subagent: "s1", timestamp: later }));
    conversation.upsert(message("o", "What you asked before.", { timestamp: "2026-01-19T10:00:04Z" }));
    expect(conversation.pending).toHaveLength(1);
    conversation.upsert(message("a", "Going on.", { timestamp: later }));
    expect(conversation.pending).toEqual([]);
  });

  it("is not shown for a command, which Claude may not record", () => {
    const conversation = new Conversation();
    conversation.sent("/model");
    expect(conversation.pending).toEqual([]);
  });

  it("recognizes the recording of a message with an image", () => {
    const conversation = new Conversation();
    conversation.sent("@/w/.beads/sessions/1/person/attachments/0a1b2c3d-shot.png what is this?");
    conversation.upsert({
      id: "u1",
      role: "user",
      content: "[Image #1] what is this?\n\n[image: image/png, 12 KB]",
      timestamp: new Date().toISOString(),
    });
    expect(conversation.pending).toEqual([]);
  });
});
