/** The hunks of a unified diff as lines with their numbers. Pure. */
import { withWords, type DiffLine } from "../transcript/diff";
import { visible } from "../../words/text";

export type PatchRow =
  | { kind: "hunk"; text: string; about: string }
  | ({ kind: "line"; old: number | null; new: number | null } & DiffLine)
  | { kind: "note"; text: string };

const HEAD = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

export function rowsOf(diff: string): PatchRow[] {
  const rows: PatchRow[] = [];
  let [old, fresh] = [0, 0];
  let run: DiffLine[] = [];
  const flush = () => {
    for (const line of withWords(run)) {
      const row: PatchRow = { kind: "line", old: line.sign === "+" ? null : old++, new: line.sign === "-" ? null : fresh++, ...line };
      rows.push(row);
    }
    run = [];
  };
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const text of lines) {
    const head = HEAD.exec(text);
    if (head) {
      flush();
      [old, fresh] = [Number(head[1]), Number(head[2])];
      rows.push({ kind: "hunk", text: text.slice(0, text.indexOf("@@", 2) + 2), about: visible(head[3] ?? "") });
    } else if (text.startsWith("\\")) {
      flush();
      rows.push({ kind: "note", text: "No newline at the end of the file" });
    } else {
      const sign = text.charAt(0);
      run.push({ sign: sign === "+" || sign === "-" ? sign : " ", text: visible(text.slice(1)) });
    }
  }
  flush();
  return rows;
}
