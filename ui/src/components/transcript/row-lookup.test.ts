import { describe, expect, it } from "vitest";
import type { Message, SessionView } from "../../generated/api";
import { madeSessions } from "../../platform/fake/sessions";
import { rowWith, withDays } from "./row-lookup";
import { rowsOf, type Row } from "./rows";

const SESSION = madeSessions(0)[7] as SessionView;
const said = (id: string, over: Partial<Message> = {}): Message => ({
  id,
  role: "assistant",
  content: "",
  timestamp: "2026-11-20T10:00:00Z",
  ...over,
});
const CALL = { tool: "Bash", input: {} };
const MESSAGES: Message[] = [
  said("u1", { role: "user", content: "Do it." }),
  said("a1", { content: "I look.", tool_calls: [CALL] }),
  said("a2", { tool_calls: [CALL] }),
  said("s1", { subagent: "verifier", content: "Checked." }),
  said("s2", { subagent: "verifier", content: "All well." }),
  said("a3", { content: "Done." }),
];
const rows = rowsOf(MESSAGES, SESSION, 0);

describe("row of a found message", () => {
  it("is its own row if it has one", () => {
    expect([rowWith(rows, MESSAGES, "u1", false), rowWith(rows, MESSAGES, "a3", false)]).toEqual(["u1", "a3"]);
  });

  it("is the row of its tools for a tool's input or output", () => {
    expect([rowWith(rows, MESSAGES, "a1", false), rowWith(rows, MESSAGES, "a1", true)]).toEqual(["a1", "a1 tools"]);
  });

  it("is the row that it was merged into", () => {
    expect(rowWith(rows, MESSAGES, "a2", true)).toBe("a1 tools");
    expect(rowWith(rows, MESSAGES, "s2", false)).toBe("s1 verifier");
  });

  it("is null for an unknown message", () => {
    expect(rowWith(rows, MESSAGES, "gone", false)).toBeNull();
  });
});

describe("days of a conversation", () => {
  const text = (key: string, at: string): Row => ({ kind: "text", key, at, text: key });
  const NOW = Date.parse("2026-11-20T12:00:00");

  it("start with a divider if there are several", () => {
    const rows = withDays(
      [text("a", "2026-11-16T10:00:00"), text("b", "2026-11-16T11:00:00"), text("c", "2026-11-20T09:00:00")],
      NOW,
    );
    expect(rows.map((row) => (row.kind === "divider" ? row.text : row.key))).toEqual([
      "Monday 16 November",
      "a",
      "b",
      "Today",
      "c",
    ]);
  });

  it("have no divider if there is only one", () => {
    const rows = [text("a", "2026-11-20T09:00:00"), text("b", "2026-11-20T11:00:00")];
    expect(withDays(rows, NOW)).toBe(rows);
  });
});
