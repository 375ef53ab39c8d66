/** A permission request as text: who asks, and for what. */
import type { PermissionRequest, SessionView } from "../generated/api";
import { questionsOf } from "./question";
import { oneLine, visible } from "./text";

/** The way to answer a request. Questions that cannot be parsed are answered in Claude's own terminal. */
export type Answering = "allow" | "plan" | "questions" | "terminal";

export function answering(request: PermissionRequest): Answering {
  if (request.tool === "AskUserQuestion") return questionsOf(request).length > 0 ? "questions" : "terminal";
  return request.tool === "ExitPlanMode" ? "plan" : "allow";
}

/** `hlstc-executor wants to run Bash`, `code-reviewer, a subagent, wants to read a file`. */
export function wants(request: PermissionRequest, session: SessionView): string {
  const who = request.subagent ? `${oneLine(request.subagent)}, a subagent,` : (session.agent_id ?? "Claude");
  switch (request.tool) {
    case "AskUserQuestion":
      return `${who} has a question`;
    case "ExitPlanMode":
      return `${who} has a plan`;
    case "Edit":
    case "MultiEdit":
    case "NotebookEdit":
      return `${who} wants to edit a file`;
    case "Write":
      return `${who} wants to write a file`;
    case "Read":
      return `${who} wants to read a file`;
    case "WebFetch":
      return `${who} wants to fetch a page`;
    default:
      return `${who} wants to run ${toolName(request.tool)}`;
  }
}

/** The first line of the request's subject, such as the command, file or URL. */
export function subject(request: PermissionRequest): string {
  const input = (typeof request.input === "object" && request.input !== null ? request.input : {}) as Record<
    string,
    unknown
  >;
  for (const key of ["command", "file_path", "notebook_path", "path", "url", "query", "plan", "description"]) {
    const value = input[key];
    if (typeof value === "string" && value.trim() !== "") return visible(value.trim().split("\n")[0] ?? "");
  }
  const [first] = questionsOf(request);
  return first ? visible(first.question.trim().split("\n")[0] ?? "") : toolName(request.tool);
}

function toolName(tool: string): string {
  const mcp = /^mcp__(.+?)__(.+)$/.exec(tool);
  return mcp ? `${mcp[1]} ${mcp[2]?.replaceAll("_", " ")}` : tool;
}
