/** Tool calls in a few words: a name, what it was about, what came of it. */
import type { ToolCall } from "../../generated/api";
import { plural } from "../../words/count";

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

/** Runs of these are one line; everything else is worth its own. */
const QUIET = new Set(["Read", "Grep", "Glob", "LS", "Write", "NotebookRead", "WebFetch"]);

export function groupsOf(calls: readonly ToolCall[]): ToolGroup[] {
  const groups: ToolGroup[] = [];
  calls.forEach((call, i) => {
    const last = groups.at(-1);
    const joins = last?.tool === call.tool && QUIET.has(call.tool) && !call.is_error && !last.calls.some((c) => c.is_error);
    if (last && joins) last.calls.push(call);
    else groups.push({ key: call.id ?? `${i}`, tool: call.tool, calls: [call] });
  });
  return groups;
}

export function isRunning(call: ToolCall): boolean {
  return call.output === undefined && call.duration_ms === undefined && !call.is_error;
}

/** What is shown of a tool's name: `mcp__github__search` is `github search`. */
export function nameOf(tool: string): string {
  if (tool === "Task") return "Agent";
  const mcp = /^mcp__(.+?)__(.+)$/.exec(tool);
  return mcp ? `${mcp[1]} ${mcp[2]?.replaceAll("_", " ")}` : tool;
}

export function aboutOf({ calls }: ToolGroup): string {
  const first = calls[0];
  if (!first) return "";
  if (calls.length === 1) return about(first);
  const paths = calls.map((c) => text(c, "file_path") || text(c, "path")).filter(Boolean);
  const folder = commonFolder(paths);
  const what = first.tool === "Grep" || first.tool === "Glob" ? plural(calls.length, "search", "searches") : plural(calls.length, "file");
  return folder ? `${what} in ${folder}` : what;
}

function about(call: ToolCall): string {
  const said = text(call, "description");
  switch (call.tool) {
    case "Bash":
      return text(call, "command");
    case "Task":
    case "Agent":
      return [text(call, "subagent_type"), said].filter(Boolean).join(": ");
    case "Grep":
    case "Glob":
      return text(call, "pattern");
    case "TodoWrite":
      return plural(Array.isArray(call.input["todos"]) ? call.input["todos"].length : 0, "item");
    default:
      return text(call, "file_path") || text(call, "path") || text(call, "url") || text(call, "query") || text(call, "skill") || said;
  }
}

export function factsOf({ calls }: ToolGroup): Fact[] {
  const facts: Fact[] = [];
  const failed = calls.find((c) => c.is_error);
  if (failed) facts.push({ text: failure(failed), tone: "bad" });
  else if (calls.some(isRunning)) facts.push({ text: "running", tone: "run" });
  const [add, del] = calls.map(lines).reduce(([a, d], [x, y]) => [a + x, d + y], [0, 0]);
  if (add > 0) facts.push({ text: `+${add}`, tone: "add" });
  if (del > 0) facts.push({ text: `−${del}`, tone: "del" });
  const passed = calls.length === 1 && !failed ? /(\d+) passed/.exec(calls[0]?.output ?? "")?.[1] : undefined;
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

function lines(call: ToolCall): [number, number] {
  if (call.is_error) return [0, 0];
  const count = (s: string) => (s === "" ? 0 : s.split("\n").length);
  if (call.tool === "Edit") return [count(text(call, "new_string")), count(text(call, "old_string"))];
  if (call.tool === "Write") return [count(text(call, "content")), 0];
  return [0, 0];
}

export function text(call: ToolCall, key: string): string {
  const value = call.input[key];
  return typeof value === "string" ? value : "";
}

function commonFolder(paths: string[]): string {
  const folders = paths.map((p) => p.split("/").slice(0, -1));
  const first = folders[0] ?? [];
  const depth = first.findIndex((part, i) => folders.some((f) => f[i] !== part));
  return first.slice(0, depth < 0 ? first.length : depth).join("/");
}

// eslint-disable-next-line no-control-regex
const ESCAPES = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])/g;

/** A tool's output without terminal escapes. */
export function plainOutput(output: string): string {
  return output.replace(ESCAPES, "").replace(/\r\n?/g, "\n");
}
