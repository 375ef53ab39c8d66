import { describe, expect, it } from "vitest";
import type { Message, SessionView, ToolCall } from "../../generated/api";
import { madeSessions } from "../../platform/fake/sessions";
import { rowsOf, type Row } from "./rows";
import { factsOf, groupsOf } from "./tool";

const NOW = Date.parse("2026-01-19T12:00:00Z");
const at = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();
const BASE = madeSessions(NOW)[0] as SessionView;
const session = (over: Partial<SessionView> = {}): SessionView => ({ ...BASE, live: null, ...over });
let n = 0;
const message = (role: Message["role"], content: string, over: Partial<Message> = {}): Message => ({
  id: `m${++n}`,
  role,
  content,
  timestamp: at(10),
  ...over,
});
const call = (tool: string, over: Partial<ToolCall> = {}): ToolCall => ({
  tool,
  input: {},
  id: `t${++n}`,
  output: "ok",
  duration_ms: 10,
  ...over,
});
const kinds = (rows: readonly Row[]) => rows.map((row) => row.kind);

describe("conversation rows", () => {
  it("join the tool calls of messages without text", () => {
    const rows = rowsOf(
      [
        message("user", "Go"),
        message("assistant", "I read.", { tool_calls: [call("Read")] }),
        message("assistant", "", { tool_calls: [call("Bash"), call("Bash")] }),
        message("assistant", "Done."),
      ],
      session(),
      NOW,
    );
    expect(kinds(rows)).toEqual(["mine", "text", "tools", "text"]);
    expect(rows[2]?.kind === "tools" && rows[2].calls.length).toBe(3);
  });

  it("nest a subagent's transcript in the call that started it, also while it runs", () => {
    const task = call("Agent", { id: "t-agent", input: { prompt: "Look around." } });
    const running = { ...task, output: undefined, duration_ms: undefined } as unknown as ToolCall;
    const own = [
      message("user", "Look around.", { subagent: "a1" }),
      message("assistant", "", { subagent: "a1", tool_calls: [call("Read"), call("Bash")] }),
    ];
    const done = { ...task, details: { subagent: "a1" } };
    for (const [started, inner] of [
      [running, own],
      [done, own.slice(1)],
    ] as const) {
      const rows = rowsOf([message("assistant", "", { tool_calls: [started] }), ...inner], session(), NOW);
      expect(kinds(rows)).toEqual(["tools"]);
      const nested = rows[0]?.kind === "tools" ? rows[0].nested.get("t-agent") : undefined;
      expect([nested?.name, nested?.steps]).toEqual(["a1", 2]);
      expect(kinds(nested?.rows ?? []).at(-1)).toBe("tools");
    }
  });

  it("keep the transcript of a subagent whose call is not loaded", () => {
    const rows = rowsOf([message("assistant", "Found.", { subagent: "a1" })], session(), NOW);
    expect(kinds(rows)).toEqual(["subagent"]);
  });

  it("show images instead of their descriptions", () => {
    const images = [{ name: "0123456789abcdef.png", bytes: 9 }];
    const rows = rowsOf([message("user", "[Image #1] look\n\n[image: image/png, 1 KB]", { images })], session(), NOW);
    expect(rows[0]).toMatchObject({ kind: "mine", text: "[Image #1] look", images });
  });

  it("show how much of a message is shortened, and do not offer to resend a shortened prompt", () => {
    const output = call("Bash", { output: "begin\n… 13000000 bytes are not shown here …\nend" });
    const messages = [
      message("user", "x", { left_out: 900 }),
      message("assistant", "", { id: "long", left_out: 13_000_000, tool_calls: [output] }),
    ];
    const rows = rowsOf(messages, session(), NOW);
    expect(kinds(rows)).toEqual(["mine", "left-out", "tools", "left-out"]);
    expect(rows[0]).toMatchObject({ whole: false });
    expect(rows[3]).toMatchObject({ message: "long", bytes: 13_000_000 });
  });

  it("leave out pauses before and after a loaded part", () => {
    const interval = (from: number, to: number) => ({ start: at(from), end: at(to) });
    const paused = session({
      status: "closed",
      closed_at: at(1),
      active_intervals: [interval(90, 80), interval(70, 60), interval(50, 40), interval(30, 1)],
    });
    const part = [message("user", "Go", { timestamp: at(65) }), message("assistant", "I go.", { timestamp: at(45) })];
    expect(kinds(rowsOf(part, paused, NOW, { begins: false, ends: false }))).toEqual(["mine", "divider", "text"]);
    expect(kinds(rowsOf(part, paused, NOW))).toEqual(["divider", "mine", "divider", "text", "divider", "divider"]);
  });

  it("split a very long list of tool calls into continuous rows", () => {
    const rows = rowsOf(
      Array.from({ length: 70 }, () => message("assistant", "", { tool_calls: [call("Bash")] })),
      session(),
      NOW,
    );
    expect(rows.map((row) => row.kind === "tools" && [row.calls.length, row.above, row.below])).toEqual([
      [32, false, true],
      [32, true, true],
      [6, true, false],
    ]);
  });

  it("show the time to first token once a turn", () => {
    const rows = rowsOf(
      [
        message("user", "Go"),
        message("assistant", "a", { latency_ms: 8000 }),
        message("assistant", "b", { latency_ms: 9000 }),
      ],
      session(),
      NOW,
    );
    expect(kinds(rows)).toEqual(["mine", "thought", "text", "text"]);
  });

  it("show a line where the session was paused and resumed", () => {
    const intervals = [{ start: at(60), end: at(40) }, { start: at(22) }];
    const rows = rowsOf(
      [message("user", "a", { timestamp: at(50) }), message("user", "b", { timestamp: at(20) })],
      session({ active_intervals: intervals }),
      NOW,
    );
    expect(kinds(rows)).toEqual(["mine", "divider", "mine"]);
    expect(rows[1]?.kind === "divider" && rows[1].text).toMatch(/^Paused for 18 minutes, resumed /);
  });

  it("show the pause even if no message follows", () => {
    const intervals = [{ start: at(60), end: at(40) }, { start: at(2) }];
    expect(kinds(rowsOf([message("user", "a")], session({ active_intervals: intervals }), NOW))).toEqual([
      "mine",
      "divider",
    ]);
  });

  it("skip messages without text and tools", () => {
    expect(rowsOf([message("assistant", " ")], session(), NOW)).toEqual([]);
  });

  it("end with the reason why nothing follows", () => {
    const end = (over: Partial<SessionView>) => {
      const last = rowsOf([message("user", "a")], session(over), NOW).at(-1);
      return last?.kind === "divider" ? last.text.replace(/\d\d:\d\d/, "T") : null;
    };
    expect(end({ status: "closed", closed_at: at(1), close_reason: "in_review" })).toBe(
      "Closed T, bead moved to In review",
    );
    expect(end({ status: "paused", paused_at: at(1), pause_reason: "exited" })).toBe("Claude exited T");
    expect(end({ status: "active" })).toBe(null);
  });

  it("show each subagent's work as one row", () => {
    const subagentMessage = (subagent: string) => message("assistant", "x", { subagent, tool_calls: [call("Read")] });
    const rows = rowsOf(
      [
        message("assistant", "a"),
        subagentMessage("s1"),
        subagentMessage("s2"),
        subagentMessage("s1"),
        message("assistant", "b"),
      ],
      session(),
      NOW,
    );
    expect(kinds(rows)).toEqual(["text", "subagent", "subagent", "text"]);
    expect(rows[1]?.kind === "subagent" && rows[1].steps).toBe(2);
  });

  it("classify entries that are not messages", () => {
    const rows = rowsOf(
      [
        message("system", "c", { kind: "compaction" }),
        message("system", "s", { kind: "compaction_summary" }),
        message("system", "e", { kind: "api_error" }),
        message("system", "i", { kind: "interrupted" }),
        message("user", "/model", { kind: "local_command" }),
        message("system", "Set", { kind: "local_command" }),
        message("system", "a task ended"),
      ],
      session(),
      NOW,
    );
    expect(kinds(rows)).toEqual(["divider", "summary", "error", "interrupted", "mine", "output", "note"]);
  });

  it("show a tool as running only while Claude runs it", () => {
    const running = [message("assistant", "", { tool_calls: [{ tool: "Bash", input: {}, id: "r" }] })];
    const since = (over: Partial<SessionView>) => {
      const row = rowsOf(running, session(over), NOW)[0];
      return row?.kind === "tools" ? row.since : undefined;
    };
    const live = {
      host_pid: 1,
      agent_pid: 2,
      model: null,
      context: null,
      retry: null,
      failure: null,
      start_question: null,
      permissions: [],
      held: [],
      hooks_seen: true,
      hold: null,
      activity_since: at(0),
      troubles: [],
      unreachable_since: null,
    };
    expect(since({ live: { ...live, activity: "working" } })).toBe(Date.parse(at(10)));
    expect(since({ live: { ...live, activity: "idle" } })).toBe(null);
    expect(since({ live: { ...live, activity: "gone" } })).toBe(null);
    expect(since({ live: { ...live, activity: "unknown" } })).toBe(null);
    expect(since({ status: "closed" })).toBe(null);
  });

  it("are computed for 10,000 messages", () => {
    const many = Array.from({ length: 10_000 }, (_, i) =>
      message(i % 3 ? "assistant" : "user", "text", i % 3 ? { tool_calls: [call("Bash")] } : {}),
    );
    expect(rowsOf(many, session(), NOW).length).toBeGreaterThan(10_000);
  });
});

describe("tool calls", () => {
  it("merge quiet calls of one kind, and show failures alone", () => {
    const groups = groupsOf([
      call("Read"),
      call("Read"),
      call("Read", { is_error: true }),
      call("Read"),
      call("Bash"),
      call("Bash"),
    ]);
    expect(groups.map((group) => `${group.tool} ${group.calls.length}`)).toEqual([
      "Read 2",
      "Read 1",
      "Read 1",
      "Bash 1",
      "Bash 1",
    ]);
  });

  it("show their results", () => {
    const facts = (one: ToolCall, running = false, live = false) =>
      factsOf({ key: "", tool: one.tool, calls: [one] }, running, live).map((fact) => fact.text);
    expect(facts(call("Bash", { is_error: true, output: "Exit code 101\nno" }))).toEqual(["exit 101"]);
    expect(facts(call("Edit", { input: { old_string: "a\nb", new_string: "a\nc\nd" } }))).toEqual(["+2", "−1"]);
    expect(facts(call("Bash", { output: "test result: ok. 42 passed; 0 failed" }))).toEqual(["42 passed"]);
    const open: ToolCall = { tool: "Bash", input: {}, id: "o" };
    expect(facts(open, true, true)).toEqual(["running"]);
    expect(facts(open, false, false)).toEqual(["not finished"]);
  });
});

describe("details beside a reply", () => {
  it("put its thinking and an incomplete end in separate rows", () => {
    const rows = rowsOf([message("assistant", "a", { thinking: "Hm.", partial: true })], session(), Date.now());
    expect(rows.map((row) => row.kind)).toEqual(["thinking", "text", "note"]);
  });

  it("are notes or summaries, depending on their kind", () => {
    const rows = rowsOf(
      [message("system", "f", { kind: "attachment" }), message("system", "s", { kind: "earlier_summary" })],
      session(),
      Date.now(),
    );
    expect(rows.map((row) => row.kind)).toEqual(["note", "summary"]);
  });
});
