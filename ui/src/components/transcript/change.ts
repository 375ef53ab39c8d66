/** The file change of a tool call, as a diff. */
import { visible } from "../../words/text";
import type { ToolCall } from "../../generated/api";
import { diffOf, patchLine, withWords, type DiffLine } from "./diff";

/** The diff of an Edit, NotebookEdit, Write or MultiEdit; null for other tools, and for a MultiEdit without edits. */
export function changeOf(tool: string, input: unknown): DiffLine[] | null {
  if (tool === "Edit" || tool === "NotebookEdit") {
    return diffOf(textIn(input, "old_string"), textIn(input, "new_string") || textIn(input, "new_source"));
  }
  if (tool === "Write") return diffOf("", textIn(input, "content"));
  if (tool === "MultiEdit") {
    const edits = (input as { edits?: unknown } | null)?.edits;
    return Array.isArray(edits)
      ? edits.flatMap((edit) => diffOf(textIn(edit, "old_string"), textIn(edit, "new_string")))
      : null;
  }
  return null;
}

/** The change with line numbers, as Claude recorded it; null if it recorded none. */
export function patchOf({ details }: ToolCall): { from: number; to: number; lines: DiffLine[] }[] | null {
  const hunks = details?.patch ?? [];
  if (hunks.length === 0) return null;
  return hunks.map(({ old_start: from, new_start: to, lines }) => ({
    from,
    to,
    lines: withWords(lines.filter((line) => !line.startsWith("\\")).map(patchLine)),
  }));
}

/** A text field of a tool's input, with invisible characters escaped; empty if the field is missing. */
export function textIn(input: unknown, key: string): string {
  if (typeof input !== "object" || input === null) return "";
  const value = (input as Record<string, unknown>)[key];
  return typeof value === "string" ? visible(value) : "";
}

/** The path that a tool works on; empty if there is none. */
export function pathIn(input: unknown): string {
  return textIn(input, "file_path") || textIn(input, "notebook_path") || textIn(input, "path");
}
