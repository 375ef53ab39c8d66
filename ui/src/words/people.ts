/** Assignees of beads: their initials, and whether they are sessions. */
import { oneLine } from "./text";

/** `Mara Klein` is `MK`, `dana.voss@example.org` is `DV`. */
export function initialsOf(name: string): string {
  const safe = oneLine(name);
  const words = (safe.split("@")[0] ?? safe).split(/[\s._-]+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)].map((w) => w?.[0] ?? "") : [safe.slice(0, 2)];
  return letters.join("").toUpperCase();
}

/** Whether an assignee is a session, which claims beads as `{user}/{8 hex digits}`. */
export function isAgent(assignee: string | undefined): boolean {
  return assignee !== undefined && /\/[0-9a-f]{8}$/.test(assignee);
}
