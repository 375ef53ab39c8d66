import { describe, expect, it } from "vitest";
import type { Message } from "../../generated/api";
import { History, sentMessages } from "./history";

const said = (content: string, more: Partial<Message> = {}): Message => ({
  id: content,
  role: "user",
  content,
  timestamp: "2026-01-01T00:00:00Z",
  ...more,
});

describe("history of sent messages", () => {
  it("has only the user's own messages", () => {
    const messages = [
      said("one"),
      said("one"),
      said("answer", { role: "assistant" }),
      said("task", { subagent: "a" }),
      said("/compact", { kind: "local_command" }),
      said("summary", { kind: "compaction_summary" }),
    ];
    expect(sentMessages(messages)).toEqual(["one", "/compact"]);
  });

  it("goes back and returns to the unsent text", () => {
    const history = new History();
    const sent = ["one", "two"];
    expect(history.step(-1, sent, "mine")).toBeNull();
    expect(history.step(1, sent, "mine")).toBe("two");
    expect(history.step(1, sent, "two")).toBe("one");
    expect(history.step(1, sent, "one")).toBeNull();
    expect(history.step(-1, sent, "one")).toBe("two");
    expect(history.step(-1, sent, "two")).toBe("mine");
  });

  it("starts again from an edited message", () => {
    const history = new History();
    history.step(1, ["one", "two"], "");
    expect(history.step(1, ["one", "two"], "two, changed")).toBe("two");
    expect(history.step(-1, ["one", "two"], "two")).toBe("two, changed");
  });
});
