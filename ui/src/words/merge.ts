/** Merges two edits of the same text, line by line. Pure. */
import { diffOf } from "../components/transcript/diff";

/** A change of the base: `lines` replace its lines from `from` up to, not including, `to`. */
interface Hunk {
  from: number;
  to: number;
  lines: string[];
}

/** The text with both edits; null if different edits touch the same or adjacent lines. */
export function merged(base: string, mine: string, theirs: string): string | null {
  const [a, b] = [hunksOf(base, mine), hunksOf(base, theirs)];
  const hunks: Hunk[] = [];
  for (const hunk of [...a, ...b].sort((x, y) => x.from - y.from || x.to - y.to)) {
    const last = hunks.at(-1);
    if (last && same(last, hunk)) continue;
    // Adjacent edits are as doubtful as overlapping ones.
    if (last && hunk.from <= last.to) return null;
    hunks.push(hunk);
  }
  const lines = base === "" ? [] : base.split("\n");
  for (const { from, to, lines: fresh } of hunks.reverse()) lines.splice(from, to - from, ...fresh);
  return lines.join("\n");
}

function hunksOf(base: string, text: string): Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  let open: Hunk | null = null;
  for (const { sign, text: line } of diffOf(base, text)) {
    if (sign === " ") {
      open = null;
      at++;
      continue;
    }
    if (!open) hunks.push((open = { from: at, to: at, lines: [] }));
    if (sign === "-") open.to = ++at;
    else open.lines.push(line);
  }
  return hunks;
}

function same(a: Hunk, b: Hunk): boolean {
  return a.from === b.from && a.to === b.to && a.lines.join("\n") === b.lines.join("\n");
}
