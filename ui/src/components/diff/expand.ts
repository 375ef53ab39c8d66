/** A diff with more context lines around its hunks. Pure. */
import { visible } from "../../words/text";
import type { PatchLine, PatchRow } from "./patch";

/** Hidden lines of the new version; `to` is null at the end of a file of unknown length. */
export interface Gap {
  from: number;
  to: number | null;
}

export type ShownRow =
  | Exclude<PatchRow, { kind: "hunk" }>
  /** The head of hunk `n`, and the hidden lines before it; null if none are hidden. */
  | { kind: "hunk"; text: string; about: string; n: number; gap: Gap | null }
  /** Hidden lines after the last hunk. */
  | { kind: "end"; gap: Gap };

interface Hunk {
  head: Extract<PatchRow, { kind: "hunk" }>;
  rows: Exclude<PatchRow, { kind: "hunk" }>[];
}

/** The number of lines that one press shows. */
export const STEP = 20;

/** `known`: loaded lines of the new version, by number. `total`: the number of its lines, if known. */
export function expanded(
  rows: readonly PatchRow[],
  known: ReadonlyMap<number, string>,
  total: number | null,
): ShownRow[] {
  const hunks: Hunk[] = [];
  for (const row of rows) {
    if (row.kind === "hunk") hunks.push({ head: row, rows: [] });
    else hunks.at(-1)?.rows.push(row);
  }
  const shown: ShownRow[] = [];
  let [end, shift] = [0, 0];
  for (const [n, hunk] of hunks.entries()) {
    const [old, fresh] = startOf(hunk);
    const { above, below, gap } = split(end + 1, fresh - 1, known);
    const lines = (numbers: readonly number[]) => numbers.map((line) => context(line, known, fresh - old));
    shown.push(...lines(below), { ...hunk.head, n, gap }, ...lines(above), ...hunk.rows);
    const last = hunk.rows.findLast((row): row is PatchLine => row.kind === "line" && row.new !== null);
    end = last?.new ?? fresh - 1;
    const lastOld = hunk.rows.findLast((row): row is PatchLine => row.kind === "line" && row.old !== null);
    shift = end - (lastOld?.old ?? old - 1);
  }
  if (hunks.length === 0) return shown;
  const { below, gap } = split(end + 1, total, known);
  shown.push(...below.map((line) => context(line, known, shift)));
  if (gap) shown.push({ kind: "end", gap });
  return shown;
}

/** The lines of a gap to load next: {@link STEP} at its end or its start, or all if there are only a few more. */
export function part(gap: Gap, atEnd: boolean): { from: number; to: number } {
  if (gap.to === null) return { from: gap.from, to: gap.from + STEP - 1 };
  if (gap.to - gap.from < STEP + STEP / 2) return { from: gap.from, to: gap.to };
  return atEnd ? { from: gap.to - STEP + 1, to: gap.to } : { from: gap.from, to: gap.from + STEP - 1 };
}

/** The first line of a hunk in both versions. */
function startOf({ head, rows }: Hunk): [old: number, fresh: number] {
  const [, old, olds, fresh, news] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(head.text) ?? [];
  if (rows.length === 0) return [1, 1];
  // If a side has no lines, its number is that of the line before.
  return [Number(old) + (olds === "0" ? 1 : 0), Number(fresh) + (news === "0" ? 1 : 0)];
}

/** The known lines at both ends of a range, and the gap between them. */
function split(
  from: number,
  to: number | null,
  known: ReadonlyMap<number, string>,
): { below: number[]; above: number[]; gap: Gap | null } {
  const [below, above]: [number[], number[]] = [[], []];
  let next = from;
  while ((to === null || next <= to) && known.has(next)) below.push(next++);
  if (to === null) return { below, above, gap: { from: next, to } };
  let last = to;
  while (last >= next && known.has(last)) above.unshift(last--);
  return { below, above, gap: next <= last ? { from: next, to: last } : null };
}

function context(line: number, known: ReadonlyMap<number, string>, shift: number): PatchLine {
  return { kind: "line", sign: " ", text: visible(known.get(line) ?? ""), old: line - shift, new: line };
}
