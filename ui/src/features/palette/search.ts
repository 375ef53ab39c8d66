/** Ranks entries by a query. Except in `found` entries, every word must match; matches at the start rank highest. */

export interface Entry {
  key: string;
  /** The text that is matched and shown. */
  title: string;
  /** A second text that is matched, shown at the side. */
  more: string;
  /** Whether the engine's search already matched the entry. */
  found?: boolean;
  /** Whether the entry is sorted last, as closed beads are. */
  last?: boolean;
  /** Title and `more` in lower case, precomputed for the many beads. The initials of such entries are not matched. */
  lower?: readonly [string, string];
}

/** The score, 0 for no match. */
function scoreOf(entry: Entry, words: readonly string[]): number {
  const [title, more] = entry.lower ?? [entry.title.toLowerCase(), entry.more.toLowerCase()];
  const short = entry.lower === undefined;
  let total = 1;
  for (const word of words) {
    const best = Math.max(inText(title, word, short) * 2, inText(more, word, short));
    if (best === 0) return 0;
    total += best;
  }
  return total;
}

function inText(text: string, word: string, short: boolean): number {
  const at = text.indexOf(word);
  if (at === 0) return 4;
  if (at > 0) return isWordPart(text.charCodeAt(at - 1)) ? 1 : 3;
  return short && initials(text).startsWith(word) && word.length > 1 ? 2 : 0;
}

function initials(text: string): string {
  return text
    .split(/\W+/)
    .map((word) => word[0] ?? "")
    .join("");
}

/** Best matches first, `last` entries at the end; ties keep their order. */
export function best<T extends Entry>(entries: readonly T[], query: string, most: number): T[] {
  if (query.trim() === "") return entries.slice(0, most);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  // Entries are collected in one list per score and limited, which avoids sorting a hundred thousand beads.
  const first = new Map<number, T[]>();
  const last = new Map<number, T[]>();
  for (const entry of entries) {
    const fit = Math.max(scoreOf(entry, words), entry.found ? 1 : 0);
    if (fit === 0) continue;
    const lists = entry.last ? last : first;
    const list = lists.get(fit);
    if (!list) lists.set(fit, [entry]);
    else if (list.length < most) list.push(entry);
  }
  const ranked = (lists: Map<number, T[]>) => [...lists].sort(([a], [b]) => b - a).flatMap(([, list]) => list);
  return [...ranked(first), ...ranked(last)].slice(0, most);
}

/** Whether `\w` matches the character with this code; faster than a regular expression. */
function isWordPart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95;
}
