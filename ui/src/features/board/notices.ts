/** Selects the notice that the board shows: the first of the problems, by importance. Pure. */

export type Notice = "beads" | "claude" | "read_only" | "no_git" | "warnings" | "backup";

/** The problems. A fact that has not loaded yet counts as no problem. */
export interface Known {
  /** Whether reloading the beads failed. */
  failed: boolean;
  /** Why sessions cannot run; null if they can. */
  claude: string | null;
  writable: boolean;
  /** Whether there is a git repository with a commit. */
  git: boolean;
  warnings: number;
  backup: string | null;
}

export function noticeOf(known: Known): Notice | null {
  if (known.failed) return "beads";
  if (known.claude !== null) return "claude";
  if (!known.writable) return "read_only";
  if (!known.git) return "no_git";
  if (known.warnings > 0) return "warnings";
  return known.backup === null ? null : "backup";
}
