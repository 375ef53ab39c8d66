/** Formats a selection in Markdown source. Pure, except for `applyTo`. */

export type Format = "bold" | "italic" | "code" | "link" | "list" | "tasks";

interface Edit {
  /** The range to replace, and its new text. */
  from: number;
  to: number;
  text: string;
  /** The selection afterwards. */
  select: [number, number];
}

const MARKS: Partial<Record<Format, string>> = { bold: "**", italic: "_", code: "`" };

/** The edit that applies a format to the selection from `start` to `end`. */
export function formatted(source: string, start: number, end: number, format: Format): Edit {
  const mark = MARKS[format];
  if (mark !== undefined) return wrapped(source, start, end, mark);
  if (format === "link") {
    const text = `[${source.slice(start, end) || "text"}](https://)`;
    const at = start + text.length - 1;
    return { from: start, to: end, text, select: [at, at] };
  }
  const from = source.lastIndexOf("\n", start - 1) + 1;
  const after = source.indexOf("\n", end);
  const to = after < 0 ? source.length : after;
  const prefix = format === "list" ? "- " : "- [ ] ";
  const lines = source.slice(from, to).split("\n");
  const all = lines.every((line) => line.startsWith(prefix));
  const bare = (line: string) => line.replace(/^[-*+] (\[[ xX]\] )?/, "");
  const text = lines.map((line) => (all ? line.slice(prefix.length) : `${prefix}${bare(line)}`)).join("\n");
  return { from, to, text, select: [from + text.length, from + text.length] };
}

/** Puts marks around the selection, or removes them. */
function wrapped(source: string, start: number, end: number, mark: string): Edit {
  const n = mark.length;
  if (source.slice(start - n, start) === mark && source.slice(end, end + n) === mark)
    return { from: start - n, to: end + n, text: source.slice(start, end), select: [start - n, end - n] };
  const text = `${mark}${source.slice(start, end)}${mark}`;
  return { from: start, to: end, text, select: [start + n, end + n] };
}

/** Formats the selection of a field. The change can be undone if the browser supports that. */
export function applyTo(area: HTMLTextAreaElement, format: Format): void {
  const { from, to, text, select } = formatted(area.value, area.selectionStart, area.selectionEnd, format);
  area.focus();
  area.setSelectionRange(from, to);
  // `execCommand` is the only way to keep the field's undo history.
  const typed = typeof document.execCommand === "function" && document.execCommand("insertText", false, text);
  if (!typed) {
    area.setRangeText(text, from, to, "end");
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  area.setSelectionRange(...select);
}
