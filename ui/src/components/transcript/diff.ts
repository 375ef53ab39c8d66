/** A line diff of two texts, with the changed parts of similar lines. Pure. */
import { visible } from "../../words/text";

export interface DiffLine {
  sign: " " | "+" | "-";
  text: string;
  /** The range of characters that differs from the other version; absent if there is none. */
  from?: number;
  to?: number;
}

/** With more comparisons than this, all lines between the common ends count as replaced. */
const MAX_COMPARISONS = 400_000;

export function diffOf(before: string, after: string): DiffLine[] {
  const old = splitLines(before);
  const fresh = splitLines(after);
  const { start, end } = commonEnds(old, fresh);
  const same = (text: string): DiffLine => ({ sign: " ", text });
  return [
    ...old.slice(0, start).map(same),
    ...withWords(middle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end))),
    ...old.slice(old.length - end).map(same),
  ];
}

/** The number of added and removed lines. */
export function countsOf(diff: readonly DiffLine[]): { added: number; removed: number } {
  let [added, removed] = [0, 0];
  for (const { sign } of diff) {
    if (sign === "+") added++;
    else if (sign === "-") removed++;
  }
  return { added, removed };
}

/** The lines of a text, without an empty one after the final line break. */
export function splitLines(text: string): string[] {
  if (text === "") return [];
  const all = text.split("\n");
  if (all.at(-1) === "") all.pop();
  return all;
}

/** The number of equal lines or characters at the start and at the end. */
function commonEnds<T extends string | string[]>(a: T, b: T): { start: number; end: number } {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return { start, end };
}

/** The lines between the common ends, by their longest common subsequence. */
function middle(old: string[], fresh: string[]): DiffLine[] {
  const gone = old.map((text): DiffLine => ({ sign: "-", text }));
  const came = fresh.map((text): DiffLine => ({ sign: "+", text }));
  if (old.length * fresh.length > MAX_COMPARISONS || old.length === 0 || fresh.length === 0) return [...gone, ...came];
  const width = fresh.length + 1;
  const length = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => length[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      length[i * width + j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const out: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [left, right] = [gone[i], came[j]];
    if (left && right && left.text === right.text) {
      out.push({ sign: " ", text: left.text });
      i++;
      j++;
    } else if (left && (!right || at(i + 1, j) >= at(i, j + 1))) {
      out.push(left);
      i++;
    } else if (right) {
      out.push(right);
      j++;
    }
  }
  return out;
}

/** A line of a patch, without its sign, and with invisible characters escaped. */
export function patchLine(line: string): DiffLine {
  const sign = line.charAt(0);
  return { sign: sign === "+" || sign === "-" ? sign : " ", text: visible(line.slice(1)) };
}

/** Marks the differences between equally long runs of removed and added lines. */
export function withWords(diff: DiffLine[]): DiffLine[] {
  for (let i = 0; i < diff.length;) {
    const gone = run(diff, i, "-");
    const came = run(diff, i + gone, "+");
    if (gone > 0 && gone === came) {
      for (let k = 0; k < gone; k++) mark(diff, i + k, i + gone + k);
    }
    i += Math.max(1, gone + came);
  }
  return diff;
}

function run(diff: DiffLine[], from: number, sign: DiffLine["sign"]): number {
  let n = 0;
  while (diff[from + n]?.sign === sign) n++;
  return n;
}

function mark(diff: DiffLine[], gone: number, came: number): void {
  const [a, b] = [diff[gone], diff[came]];
  if (!a || !b) return;
  const { start, end } = commonEnds(a.text, b.text);
  // Unrelated lines are not marked.
  if (start + end < Math.min(a.text.length, b.text.length) / 4) return;
  Object.assign(a, { from: start, to: a.text.length - end });
  Object.assign(b, { from: start, to: b.text.length - end });
}
