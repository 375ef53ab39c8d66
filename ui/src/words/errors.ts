/**
 * Converts engine errors to UI text. The engine writes errors for the command line as well: their hints name commands
 * and options, and they contain raw system messages. This file maps each code to a next step that the UI offers.
 */
import type { ApiError, ErrorCode } from "../generated/api";
import { sentence } from "./text";

/** The next step in the UI: "" if the message is enough, `null` if the engine's hint applies in the UI too. */
const NEXT: Record<ErrorCode, string | null> = {
  usage: null,
  branch_invalid: null,
  text_too_large: null,
  project_not_found: "Check the path, or open another folder.",
  no_beads: "Choose Set up project… to create them.",
  bead_not_found: "It may have been deleted. Refresh the board.",
  session_not_found: "It may have been deleted in another window.",
  agent_not_found: "It may have been removed. Choose another agent prompt.",
  memory_not_found: "It may have been forgotten in another window.",
  backup_not_found: "Make a backup first.",
  convoy_not_found: "It may have been removed in another window.",
  merge_not_found: "It may have been merged or taken out of the queue.",
  server_not_found: "",
  worktree_not_found: "It may have been removed. Refresh the list.",
  not_a_repository: "Choose Set up project… to create a git repository.",
  no_commits: "Choose Set up project… to make a first commit.",
  dirty_tree: null,
  branch_exists: null,
  branch_in_use: null,
  folder_in_use: null,
  bead_claimed: null,
  bead_state: null,
  bead_changed: "Compare your text with the current version, then save again.",
  dependency_cycle: "Remove one of these dependencies first.",
  tracker_unsupported: "",
  session_state: null,
  hook_state: null,
  queue_state: null,
  commit_missing: null,
  confirmation_needed: null,
  programs_not_allowed: null,
  tracker_read_only: null,
  file_refused: null,
  claude_missing: "Install Claude Code, then check again.",
  claude_too_old: "Run `claude update`, then check again.",
  claude_not_logged_in: "Run `claude` in a terminal and log in.",
  hooks_disabled: null,
  claude_exited: null,
  git_missing: "Install git, then try again.",
  tracker_missing: null,
  tracker_wrong_program: null,
  tracker_timeout: "Try again. Another program may be using the tracker.",
  tracker_failed: null,
  git_failed: null,
  setup_failed: "Correct the setup command, then try again.",
  host_unreachable: "Try again. If it keeps failing, resume the session.",
  engine_unreachable: "Another program has the project open. Close it there, or try again.",
  disk_full: "Free some space, then try again.",
  read_only: "Check the folder's permissions.",
  io: null,
  internal: "Try again. If it keeps failing, choose Report a problem… in Settings.",
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
