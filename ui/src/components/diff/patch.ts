/** Parses the hunks of a unified diff into numbered lines. Pure. */
import { splitLines, patchLine, withWords, type DiffLine } from "../transcript/diff";
import { visible } from "../../words/text";

export type PatchRow =
  | { kind: "hunk"; text: string; about: string }
  | ({ kind: "line"; old: number | null; new: number | null } & DiffLine)
  | { kind: "note"; text: string };

export type PatchLine = Extract<PatchRow, { kind: "line" }>;

/** Two lines side by side; an unchanged line is on both sides. */
export type PatchPair<R extends { kind: string } = PatchRow> =
  Exclude<R, PatchLine> | { kind: "pair"; left: PatchLine | null; right: PatchLine | null };

const HEAD = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

export function rowsOf(diff: string): PatchRow[] {
  const rows: PatchRow[] = [];
  let [old, fresh] = [0, 0];
  let run: DiffLine[] = [];
  const flush = () => {
    for (const line of withWords(run)) {
      const row: PatchRow = {
        kind: "line",
        old: line.sign === "+" ? null : old++,
        new: line.sign === "-" ? null : fresh++,
        ...line,
      };
      rows.push(row);
    }
    run = [];
  };
  for (const text of splitLines(diff)) {
    const head = HEAD.exec(text);
    if (head) {
      flush();
      [old, fresh] = [Number(head[1]), Number(head[2])];
      rows.push({ kind: "hunk", text: text.slice(0, text.indexOf("@@", 2) + 2), about: visible(head[3] ?? "") });
    } else if (text.startsWith("\\")) {
      flush();
      rows.push({ kind: "note", text: "No newline at end of file" });
    } else {
      run.push(patchLine(text));
    }
  }
  flush();
  return rows;
}

/** Pairs removed lines with added lines. */
export function pairsOf<R extends { kind: string } = PatchRow>(rows: readonly (R | PatchLine)[]): PatchPair<R>[] {
  const pairs: PatchPair<R>[] = [];
  const isLine = (row: R | PatchLine): row is PatchLine => row.kind === "line";
  let [gone, came]: [PatchLine[], PatchLine[]] = [[], []];
  const flush = () => {
    for (let i = 0; i < Math.max(gone.length, came.length); i++)
      pairs.push({ kind: "pair", left: gone[i] ?? null, right: came[i] ?? null });
    [gone, came] = [[], []];
  };
  for (const row of rows) {
    if (isLine(row) && row.sign === "-" && came.length === 0) gone.push(row);
    else if (isLine(row) && row.sign === "+") came.push(row);
    else {
      flush();
      if (!isLine(row)) pairs.push(row as Exclude<R, PatchLine>);
      else if (row.sign === "-") gone.push(row);
      else pairs.push({ kind: "pair", left: row, right: row });
    }
  }
  flush();
  return pairs;
}

/** The index of the next (`by` 1) or previous (-1) change; -1 if there is none. */
export function changeFrom(rows: readonly (PatchLine | { kind: string })[], at: number, by: 1 | -1): number {
  const changed = (i: number) => {
    const row = rows[i];
    return row !== undefined && "sign" in row && row.sign !== " ";
  };
  for (let i = at + by; i >= 0 && i < rows.length; i += by) if (changed(i) && !changed(i - 1)) return i;
  return -1;
}
