/** Parses the outputs of tools that have their own view. Pure. */
import type { ToolCall } from "../../generated/api";
import { visible } from "../../words/text";

export interface FileLine {
  number: number;
  text: string;
}

/** The numbered lines that Read returns: `12→text`, or `12` and a tab, depending on Claude Code's version. Null for
 * another format. */
export function readLines(output: string): FileLine[] | null {
  const lines: FileLine[] = [];
  for (const line of output.split("\n")) {
    const found = /^\s*(\d+)(?:→|\t)(.*)$/s.exec(line);
    if (found) lines.push({ number: Number(found[1]), text: visible(found[2] ?? "") });
    // A reminder to the model follows the file.
    else if (line.startsWith("<system-reminder>")) break;
    else if (lines.length === 0 && line.trim() !== "") return null;
  }
  return lines.length > 0 ? lines : null;
}

export interface FoundFile {
  path: string;
  /** The matching lines; empty if only the file's name is known. */
  lines: readonly FileLine[];
  count: number | null;
}

/** The files, counts or lines that Grep and Glob return; null for an unknown format. */
export function foundFiles({ tool, input, output = "" }: ToolCall): FoundFile[] | null {
  const mode = tool === "Glob" ? "files_with_matches" : String(input["output_mode"] ?? "files_with_matches");
  const rows = output.split("\n").filter((line) => line.trim() !== "" && !NOTICE.test(line));
  if (rows.length === 0) return output.trim() === "" || NOTICE.test(output.trim()) ? [] : null;
  if (mode === "files_with_matches") return rows.map((row) => ({ path: visible(row), lines: [], count: null }));
  const files = new Map<string, { path: string; lines: FileLine[]; count: number | null }>();
  for (const row of rows) {
    if (row === "--") continue;
    const found = mode === "count" ? /^(.+?):(\d+)$/.exec(row) : (MATCH.exec(row) ?? CONTEXT.exec(row));
    if (!found) return null;
    const path = visible(found[1] ?? "");
    const file = files.get(path) ?? { path, lines: [], count: null };
    if (mode === "count") file.count = Number(found[2]);
    else file.lines.push({ number: Number(found[2]), text: visible(found[3] ?? "") });
    files.set(path, file);
  }
  return [...files.values()];
}
/** A matching line, and a context line. */
const MATCH = /^(.+?):(\d+):(.*)$/;
const CONTEXT = /^(.+?)-(\d+)-(.*)$/;
const NOTICE = /^(?:No (?:files|matches) found|Found \d+ (?:files?|matches|lines?|total occurrences?)\b|\(Results are)/;

export interface Page {
  title: string;
  url: string;
}

const PAGE = /\{"title":("(?:[^"\\]|\\.)*"),"url":("(?:[^"\\]|\\.)*")/g;

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The result pages of a web search, and the text around them. */
export function searchPages(output: string): { pages: Page[]; text: string } {
  const pages: Page[] = [];
  const text = output
    .replace(/^Links: \[.*$/gm, (list) => {
      // A list that was cut off still has its first pages.
      for (const [, title = "", url = ""] of list.matchAll(PAGE)) {
        pages.push({ title: visible(unquoted(title)), url: unquoted(url) });
      }
      return pages.length > 0 ? "" : list;
    })
    .replace(/^Web search results for query: .*$/m, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return { pages, text };
}

export function isWeb(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

/** The exit code of a failed command, which Claude Code writes before the output. */
export function exitCode(output: string): { code: number | null; rest: string } {
  const found = /^Exit code (\d+)\n?/.exec(output);
  return found ? { code: Number(found[1]), rest: output.slice(found[0].length) } : { code: null, rest: output };
}

/** The output of a background command, as TaskOutput and BashOutput report it; null for another format. */
export function taskOutput(output: string): { id: string; status: string; exit: string; text: string } | null {
  const tag = (name: string) => new RegExp(`<${name}>\\n?([\\s\\S]*?)\\n?</${name}>`).exec(output)?.[1];
  const status = tag("status");
  if (status === undefined) return null;
  const text = tag("output") ?? [tag("stdout"), tag("stderr")].filter(Boolean).join("\n");
  return { id: tag("task_id") ?? tag("shell_id") ?? "", status, exit: tag("exit_code") ?? "", text };
}

/** The server and tool of an MCP call; null for other tools. */
export function mcpOf(tool: string): { server: string; name: string } | null {
  const found = /^mcp__(.+?)__(.+)$/.exec(tool);
  return found ? { server: found[1] ?? "", name: found[2] ?? "" } : null;
}

/** JSON with indentation; other text unchanged. */
export function pretty(text: string): string {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return text;
  try {
    return JSON.stringify(JSON.parse(trimmed), null, 2);
  } catch {
    return text;
  }
}
