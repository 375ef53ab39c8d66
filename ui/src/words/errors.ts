/**
 * Converts engine errors to UI text. The engine's errors also serve the command line: they name commands, options
 * and our files, and contain raw system messages. This file has a text for each code, and for many a next step. The
 * text replaces a message that makes sense only on the command line.
 */
import type { ApiError, ErrorCode } from "../generated/api";
import { sentence } from "./text";

/** What failed, in the UI's words. */
const TEXT: Record<ErrorCode, string> = {
  usage: "This input is not valid.",
  branch_invalid: "This is not a valid branch name.",
  text_too_large: "The text is too long.",
  project_not_found: "The project folder does not exist.",
  no_beads: "The folder has no beads.",
  bead_not_found: "The bead does not exist.",
  session_not_found: "The session does not exist.",
  agent_not_found: "The agent prompt does not exist.",
  memory_not_found: "The memory does not exist.",
  backup_not_found: "The project has no backup.",
  convoy_not_found: "The group of beads does not exist.",
  merge_not_found: "The branch is not in the merge queue.",
  server_not_found: "No server for browsers is running.",
  worktree_not_found: "The worktree does not exist.",
  checkpoint_not_found: "The checkpoint does not exist.",
  place_not_found: "The place does not exist.",
  not_a_repository: "The folder is not in a git repository.",
  no_commits: "The repository has no commits yet.",
  dirty_tree: "Uncommitted changes are in the way.",
  files_changed: "Files changed at the same time. Nothing was restored.",
  branch_exists: "The branch exists and belongs to other work.",
  branch_in_use: "The branch is checked out elsewhere.",
  folder_in_use: "Another session works in the folder on another branch.",
  bead_claimed: "Another agent or user has claimed the bead.",
  bead_state: "The bead's state does not allow this.",
  bead_changed: "The bead was changed elsewhere.",
  dependency_cycle: "The dependency would close a cycle.",
  tracker_unsupported: "The tracker cannot store this.",
  commit_missing: "The bead has no commit to review.",
  session_state: "The session's state does not allow this.",
  hook_state: "The assignment's state does not allow this.",
  queue_state: "The merge queue's state does not allow this.",
  confirmation_needed: "This needs your confirmation.",
  programs_not_allowed: "The repository's git settings name programs that you have not allowed.",
  tracker_read_only: "The project's beads are read-only.",
  host_key_changed: "The key of the other machine is not the known one.",
  other_version: "The other machine has another version of Beads Console.",
  file_refused: "The file is left unchanged, because changing it could lose data.",
  claude_missing: "Claude Code is not installed.",
  claude_too_old: "Claude Code is too old.",
  claude_not_logged_in: "Claude Code is not logged in.",
  hooks_disabled: "A setting disables Claude's hooks, so sessions could not be recorded.",
  claude_exited: "Claude exited immediately.",
  git_missing: "Git is not installed.",
  editor_missing: "The editor cannot be started.",
  gh_missing: "GitHub's program gh is not installed.",
  tracker_missing: "The tracker's program is not installed.",
  tracker_wrong_program: "The program with the tracker's name is a different one.",
  program_missing: "A program that reaches another machine is not installed.",
  tracker_timeout: "The tracker did not answer in time.",
  tracker_failed: "The tracker failed.",
  git_failed: "Git failed.",
  setup_failed: "The setup command of the worktree failed.",
  host_unreachable: "The session cannot be reached.",
  machine_unreachable: "The other machine cannot be reached.",
  engine_unreachable: "The project is open in another program that does not answer.",
  disk_full: "The disk is full.",
  read_only: "The folder or disk is read-only.",
  io: "A file could not be read or written.",
  internal: "Something went wrong.",
};

/** The next step in the UI: "" if the message is enough, null to use the engine's hint. */
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
  checkpoint_not_found: "It may have been removed. Refresh the list.",
  place_not_found: "It may have been removed.",
  not_a_repository: "Choose Set up project… to create a git repository.",
  no_commits: "Choose Set up project… to make a first commit.",
  dirty_tree: null,
  files_changed: "Try again.",
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
  host_key_changed: null,
  other_version: null,
  file_refused: null,
  claude_missing: "Install Claude Code, then check again.",
  claude_too_old: "Run `claude update`, then check again.",
  claude_not_logged_in: "Run `claude` in a terminal and log in.",
  hooks_disabled: null,
  claude_exited: null,
  git_missing: "Install git, then try again.",
  editor_missing: "Choose an editor with its own window in Settings.",
  gh_missing: "Install it from cli.github.com, and log in with `gh auth login`.",
  tracker_missing: null,
  tracker_wrong_program: null,
  program_missing: null,
  tracker_timeout: "Try again. Another program may be using the tracker.",
  tracker_failed: null,
  git_failed: null,
  setup_failed: "Correct the setup command, then try again.",
  host_unreachable: "Try again. If it keeps failing, resume the session.",
  machine_unreachable: null,
  engine_unreachable: "Another program has the project open. Close it there, or try again.",
  disk_full: "Free some space, then try again.",
  read_only: "Check the folder's permissions.",
  io: null,
  internal: "Try again. If it keeps failing, choose Report a problem… in Settings.",
};

/** Codes whose message quotes another program, which may name its own options. */
const QUOTES_A_PROGRAM: ReadonlySet<ErrorCode> = new Set([
  "claude_exited",
  "git_failed",
  "setup_failed",
  "tracker_failed",
]);

/** All error codes, for tests. */
export const ERROR_CODES = Object.keys(TEXT) as ErrorCode[];

/** System messages and their UI text. */
const SYSTEM: readonly [RegExp, string][] = [
  [/No such file or directory/gi, "it does not exist"],
  [/Permission denied/g, "permission denied"],
  [/Not a directory/g, "it is not a folder"],
  [/Is a directory/g, "it is a folder"],
  [/No space left on device/g, "the disk is full"],
  [/Read-only file system/g, "the disk is read-only"],
];

/** The message and the hint for the UI. */
export function inWindow({ code, message, hint }: ApiError): { message: string; hint?: string } {
  const next = NEXT[code] ?? (hint !== undefined && !isOfCommandLine(hint) ? sentence(plain(hint)) : "");
  const text = plain(message);
  const replaced = isOfCommandLine(text) && !QUOTES_A_PROGRAM.has(code);
  return { message: replaced ? TEXT[code] : sentence(text), ...(next === "" ? {} : { hint: next }) };
}

/** A warning as a sentence for the UI, without the clauses that apply only to the command line. */
export function notice(warning: string): string {
  const clauses = plain(warning).split("; ");
  const usable = clauses.filter((clause) => !isOfCommandLine(clause));
  return sentence((usable.length > 0 ? usable : clauses).join("; "));
}

function plain(text: string): string {
  const translated = SYSTEM.reduce((text, [what, words]) => text.replace(what, words), text);
  return translated.replace(/\s*\(os error \d+\)/g, "");
}

/** Whether a text names our commands, options or internal files, which mean nothing in the window. */
function isOfCommandLine(text: string): boolean {
  return /beads-console|(^|[\s`(])--?[a-z]|\.beads\/(sessions|\.|index)|[/ ]\.chipset\//.test(text);
}
