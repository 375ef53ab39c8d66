/** Matches entries: every word must occur, and word beginnings rank highest. */

export interface Entry {
  key: string;
  /** Matched and displayed. */
  title: string;
  /** Also matched, displayed at the side. */
  more: string;
  /** Already matched by the server. */
  found?: boolean;
  /** Sorted last, for closed beads. */
  last?: boolean;
}

/** The score, 0 for no match. */
export function score(entry: Entry, query: string): number {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const title = entry.title.toLowerCase();
  const more = entry.more.toLowerCase();
  let total = 1;
  for (const word of words) {
    const best = Math.max(inText(title, word) * 2, inText(more, word));
    if (best === 0) return 0;
    total += best;
  }
  return total;
}

function inText(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at === 0) return 4;
  if (at > 0) return /\W/.test(text[at - 1] ?? "") ? 3 : 1;
  return initials(text).startsWith(word) && word.length > 1 ? 2 : 0;
}

function initials(text: string): string {
  return text
    .split(/\W+/)
    .map((word) => word[0] ?? "")
    .join("");
}

/** Best matches first; ties keep their order. */
export function best<T extends Entry>(entries: readonly T[], query: string, most: number): T[] {
  if (query.trim() === "") return entries.slice(0, most);
  return entries
    .map((entry) => ({ entry, fit: Math.max(score(entry, query), entry.found ? 1 : 0) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => Number(a.entry.last ?? false) - Number(b.entry.last ?? false) || b.fit - a.fit)
    .slice(0, most)
    .map(({ entry }) => entry);
}
