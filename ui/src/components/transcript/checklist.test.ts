import { describe, expect, it } from "vitest";
import type { Message, ToolCall } from "../../generated/api";
import { checklistOf, doneOf } from "./checklist";

const call = (tool: string, input: ToolCall["input"], output?: string): ToolCall => ({
  tool,
  input,
  ...(output === undefined ? {} : { output }),
});
const said = (...tool_calls: ToolCall[]): Message => ({
  id: "m",
  role: "assistant",
  content: "",
  timestamp: "2026-01-01T00:00:00Z",
  tool_calls,
});

describe("checklist", () => {
  it("is the last TodoWrite of the main conversation", () => {
    const todos = (status: string) => [{ content: "Run tests", activeForm: "Running tests", status }];
    const other: Message = { ...said(call("TodoWrite", { todos: [] })), subagent: "a1" };
    const messages = [said(call("TodoWrite", { todos: todos("pending") })), other];
    expect(checklistOf(messages)).toEqual([{ id: "0", text: "Run tests", state: "pending" }]);
    const now = checklistOf([...messages, said(call("TodoWrite", { todos: todos("in_progress") }))]);
    expect(now).toEqual([{ id: "0", text: "Running tests", state: "in_progress" }]);
  });

  it("follows single tasks by their number", () => {
    const made = said(
      call("TaskCreate", { subject: "Read the loader" }, "Task #1 created successfully: Read the loader"),
      call("TaskCreate", { subject: "Write the plan" }, "Task #2 created successfully: Write the plan"),
      call("TaskUpdate", { taskId: "1", status: "completed" }),
      call("TaskUpdate", { taskId: "2", status: "in_progress" }),
    );
    expect(checklistOf([made]).map(({ state }) => state)).toEqual(["completed", "in_progress"]);
    expect(doneOf(checklistOf([made]))).toBe(1);
    const gone = said(call("TaskUpdate", { taskId: "2", status: "deleted" }));
    expect(checklistOf([made, gone])).toHaveLength(1);
    const next = said(call("TaskCreate", { subject: "Next" }, "Task #3 created"));
    expect(checklistOf([made, gone, next])).toEqual([{ id: "3", text: "Next", state: "pending" }]);
  });

  it("ignores malformed lists", () => {
    expect(checklistOf([said(call("TodoWrite", { todos: "x" }), call("TaskCreate", {}))])).toEqual([]);
    expect(checklistOf([said(call("TodoWrite", { todos: [null, 3, { content: 4 }] }))])).toEqual([]);
  });
});
