/** Assignees. */

/** `Mara Klein` is `MK`, `dana.voss@example.org` is `DV`. */
export function initialsOf(name: string): string {
  const words = (name.split("@")[0] ?? name).split(/[\s._-]+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)].map((w) => w?.[0] ?? "") : [name.slice(0, 2)];
  return letters.join("").toUpperCase();
}

/** Sessions claim as `{user}/{8 hex digits}`. */
export function isAgent(assignee: string | undefined): boolean {
  return assignee !== undefined && /\/[0-9a-f]{8}$/.test(assignee);
}
