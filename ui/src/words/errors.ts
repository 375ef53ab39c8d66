/**
 * Converts engine errors to UI text. The engine writes errors for the command line as well: their hints name commands
 * and options, and they contain raw system messages. This file maps each code to a next step that the UI offers.
 */
import type { ApiError, ErrorCode } from "../generated/api";
import { sentence } from "./text";

/** The next step in the UI. An empty text means that the message is enough. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  project_not_found: "Check the path, or open another folder.",
  no_beads: "Initialise beads here to use this.",
  bead_not_found: "It may have been deleted. Refresh the board.",
  session_not_found: "It may have been deleted in another window.",
  backup_not_found: "Make a backup first.",
  not_a_repository: "Run `git init` in the folder and make a first commit.",
  no_commits: "Make a first commit in the folder.",
  claude_missing: "Install Claude Code, then check again.",
  claude_too_old: "Run `claude update`, then check again.",
  claude_not_logged_in: "Run `claude` in a terminal and log in.",
  git_missing: "Install git, then try again.",
  host_unreachable: "Try again. If it keeps failing, resume the session.",
  engine_unreachable: "Another program has the project open. Close it there, or try again.",
  disk_full: "Free some space, then try again.",
  read_only: "Check the folder's permissions.",
};

/** System messages and their UI text. */
const SYSTEM: readonly [RegExp, string][] = [
  [/No such file or directory/gi, "it does not exist"],
  [/Permission denied/g, "permission denied"],
  [/Not a directory/g, "it is not a folder"],
  [/Is a directory/g, "it is a folder"],
  [/No space left on device/g, "the disk is full"],
  [/Read-only file system/g, "the disk is read-only"],
];

/** The message and hint for the UI. */
export function inWindow({ code, message, hint }: ApiError): { message: string; hint?: string } {
  const next = NEXT[code] ?? (hint !== undefined && !isOfCommandLine(hint) ? sentence(plain(hint)) : "");
  return { message: sentence(plain(message)), ...(next === "" ? {} : { hint: next }) };
}

function plain(text: string): string {
  const translated = SYSTEM.reduce((text, [what, words]) => text.replace(what, words), text);
  return translated.replace(/\s*\(os error \d+\)/g, "");
}

/** Whether a hint names one of our commands or options, which cannot be followed in the window. */
function isOfCommandLine(hint: string): boolean {
  return /beads-console|(^|[\s`(])--?[a-z]/.test(hint);
}
