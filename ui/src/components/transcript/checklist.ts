/** Claude's task list, from its TodoWrite or TaskCreate and TaskUpdate calls. Pure. */
import type { Message, ToolCall } from "../../generated/api";
import { oneLine, visible } from "../../words/text";

export interface Task {
  id: string;
  text: string;
  state: "pending" | "in_progress" | "completed";
}

/** The task list after the last call; empty if there is none. Subagents have separate lists, which are
 * ignored. */
export function checklistOf(messages: readonly Message[]): Task[] {
  let tasks: Task[] = [];
  for (const message of messages) {
    if (message.subagent !== undefined) continue;
    for (const call of message.tool_calls ?? []) tasks = after(tasks, call);
  }
  return tasks;
}

function after(tasks: Task[], call: ToolCall): Task[] {
  if (call.is_error) return tasks;
  switch (call.tool) {
    case "TodoWrite":
      return todosOf(call);
    case "TaskCreate": {
      // A completed list is replaced by the next one.
      const open = tasks.every(({ state }) => state === "completed") ? [] : tasks;
      const id = /#(\w+)/.exec(call.output ?? "")?.[1] ?? `${tasks.length + 1}`;
      const text = line(call.input["subject"]) || line(call.input["description"]);
      return text === "" ? tasks : [...open, { id, text, state: "pending" }];
    }
    case "TaskUpdate": {
      const id = String(call.input["taskId"] ?? call.input["task_id"] ?? "");
      const state = call.input["status"];
      if (state === "deleted") return tasks.filter((task) => task.id !== id);
      const text = line(call.input["subject"]);
      return tasks.map((task) =>
        task.id === id ? { id, text: text || task.text, state: stateOf(state ?? task.state) } : task,
      );
    }
    default:
      return tasks;
  }
}

/** The items of a TodoWrite call. */
export function todosOf({ input }: ToolCall): Task[] {
  const todos: unknown = input["todos"];
  if (!Array.isArray(todos)) return [];
  return (todos as Record<string, unknown>[]).flatMap((todo, at) => {
    if (typeof todo !== "object" || todo === null) return [];
    const state = stateOf(todo["status"]);
    const text = (state === "in_progress" && line(todo["activeForm"])) || line(todo["content"]);
    return text === "" ? [] : [{ id: `${at}`, text, state }];
  });
}

export function doneOf(tasks: readonly Task[]): number {
  return tasks.filter(({ state }) => state === "completed").length;
}

function stateOf(state: unknown): Task["state"] {
  return state === "completed" || state === "in_progress" ? state : "pending";
}

function line(value: unknown): string {
  return typeof value === "string" ? visible(oneLine(value)) : "";
}
