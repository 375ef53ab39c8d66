/** Groups tool calls, and describes them in a few words: name, subject and result. */
import type { PermissionRequest, ToolCall } from "../../generated/api";
import { plural } from "../../words/count";
import { visible } from "../../words/text";
import { changeOf, pathIn, textIn } from "./change";
import { countsOf } from "./diff";
import { within } from "./folder";
import { mcpOf } from "./tool-output";

export type Tone = "plain" | "add" | "del" | "bad" | "run";

export interface Fact {
  text: string;
  tone: Tone;
}

export interface ToolGroup {
  key: string;
  tool: string;
  calls: ToolCall[];
}

/** Consecutive calls of one of these tools share a line unless one failed; other calls have their own. */
const QUIET = new Set(["Read", "Grep", "Glob", "LS", "Write", "NotebookRead", "WebFetch", "TaskCreate", "TaskUpdate"]);

/** Groups consecutive calls. `list` identifies the list and starts each key. */
export function groupsOf(calls: readonly ToolCall[], list = ""): ToolGroup[] {
  const groups: ToolGroup[] = [];
  calls.forEach((call, i) => {
    const last = groups.at(-1);
    const joins =
      last?.tool === call.tool && QUIET.has(call.tool) && !call.is_error && !last.calls.some((c) => c.is_error);
    if (last && joins) last.calls.push(call);
    else groups.push({ key: `${list}/${i}`, tool: call.tool, calls: [call] });
  });
  return groups;
}

export function isRunning(call: ToolCall): boolean {
  return call.output === undefined && call.duration_ms === undefined && !call.is_error;
}

/** Whether this call waits for a permission, or may run a subagent that does. */
export function isAsked(call: ToolCall, requests: readonly PermissionRequest[]): boolean {
  if (requests.length === 0 || !isRunning(call)) return false;
  if (call.tool === "Task" || call.tool === "Agent") return true;
  const input = JSON.stringify(call.input);
  return requests.some((request) => request.tool === call.tool && JSON.stringify(request.input) === input);
}

const NAMES: Record<string, string> = {
  BashOutput: "Shell output",
  KillShell: "Stop shell",
  TaskCreate: "New task",
  TaskOutput: "Shell output",
  TaskStop: "Stop task",
  TaskUpdate: "Task",
  TodoWrite: "Tasks",
  WebFetch: "Fetch",
  WebSearch: "Web search",
};

/** The display name of a tool: `mcp__github__search` becomes `github search`. */
export function nameOf(tool: string): string {
  if (tool === "Task") return "Agent";
  const known = NAMES[tool];
  if (known) return known;
  const mcp = mcpOf(tool);
  return mcp ? `${mcp.server} ${mcp.name.replaceAll("_", " ")}` : tool;
}

/** The subject of the calls; paths are relative to `folder`. */
export function aboutOf({ calls }: ToolGroup, folder = ""): string {
  const first = calls[0];
  if (!first) return "";
  if (calls.length === 1) return about(first, folder);
  const paths = calls.map((call) => within(pathIn(call.input), folder)).filter(Boolean);
  const common = commonFolder(paths);
  const what = countOf(first.tool, calls.length);
  return common ? `${what} in ${common}` : what;
}

function countOf(tool: string, n: number): string {
  if (tool === "Grep" || tool === "Glob") return plural(n, "search", "searches");
  if (tool === "WebFetch") return plural(n, "page");
  return plural(n, tool === "TaskCreate" || tool === "TaskUpdate" ? "task" : "file");
}

function about(call: ToolCall, folder: string): string {
  const text = (key: string) => textIn(call.input, key);
  const said = text("description");
  switch (call.tool) {
    case "Bash":
      return text("command");
    case "Task":
    case "Agent":
      return [text("subagent_type"), said].filter(Boolean).join(": ");
    case "Grep":
    case "Glob":
      return text("pattern");
    case "TaskCreate":
      return text("subject");
    case "TaskUpdate":
      return [`#${text("taskId")}`, text("subject") || text("status").replaceAll("_", " ")].join(" ");
    case "TaskOutput":
    case "BashOutput":
    case "KillShell":
    case "TaskStop":
      return text("task_id") || text("bash_id") || text("shell_id");
    case "TodoWrite":
      return plural(Array.isArray(call.input["todos"]) ? call.input["todos"].length : 0, "item");
    default:
      return within(pathIn(call.input), folder) || text("url") || text("query") || text("skill") || said;
  }
}

/** The result of the calls. `running`: they have not ended. `live`: the session is active, so they still can. */
export function factsOf({ calls }: ToolGroup, running: boolean, live: boolean): Fact[] {
  const facts: Fact[] = [];
  const failed = calls.find((c) => c.is_error);
  if (failed) facts.push({ text: failure(failed), tone: "bad" });
  else if (running) facts.push({ text: "running", tone: "run" });
  else if (!live && calls.some(isRunning)) facts.push({ text: "not finished", tone: "plain" });
  const diff = calls.flatMap((call) => (call.is_error ? [] : (changeOf(call.tool, call.input) ?? [])));
  const { added, removed } = countsOf(diff);
  if (added > 0) facts.push({ text: `+${added}`, tone: "add" });
  if (removed > 0) facts.push({ text: `−${removed}`, tone: "del" });
  const passed = calls.length === 1 && !failed ? /(\d+) passed/.exec(calls[0]?.output ?? "")?.[1] : undefined;
  const background = calls[0]?.details?.background;
  if (background) facts.push({ text: "in background", tone: "plain" });
  if (passed) facts.push({ text: `${passed} passed`, tone: "plain" });
  return facts;
}

export function tookOf({ calls }: ToolGroup): number | null {
  const known = calls.flatMap((c) => c.duration_ms ?? []);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
}

function failure(call: ToolCall): string {
  const output = call.output ?? "";
  const code = /exit code:? (\d+)/i.exec(output)?.[1];
  if (code) return `exit ${code}`;
  return /doesn't want to proceed|denied|rejected/i.test(output) ? "denied" : "failed";
}

function commonFolder(paths: string[]): string {
  const folders = paths.map((p) => p.split("/").slice(0, -1));
  const first = folders[0] ?? [];
  const depth = first.findIndex((part, i) => folders.some((f) => f[i] !== part));
  return first.slice(0, depth < 0 ? first.length : depth).join("/");
}

// eslint-disable-next-line no-control-regex
const ESCAPES = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])/g;

/** Output without terminal escapes, and with invisible characters spelled out. */
export function plainOutput(output: string): string {
  return visible(output.replace(ESCAPES, "").replace(/\r\n?/g, "\n"));
}
