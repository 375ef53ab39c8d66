/** Text for a session, shared by all views: its state as a mark and a label, its title, its permission
 * requests, and the permission modes. */
import type { Bead, PermissionMode, PermissionRequest, SessionState, SessionView } from "../generated/api";
import { questionsOf } from "./question";
import { oneLine } from "./text";
import { clock, date } from "./time";

export type Mark =
  "needs" | "turn" | "active" | "queued" | "retrying" | "limited" | "paused" | "closed" | "draft" | "error";

const MARKS: Record<SessionState, Mark> = {
  draft: "draft",
  starting: "active",
  active: "active",
  queued: "queued",
  retrying: "retrying",
  rate_limited: "limited",
  dialog_open: "needs",
  your_turn: "turn",
  needs_you: "needs",
  ending: "active",
  paused: "paused",
  exited: "paused",
  interrupted: "error",
  closed: "closed",
};

/** The labels, which must be the same as on the command line; a test in bc-wire checks this. */
const WORDS: Record<SessionState, string> = {
  draft: "Draft",
  starting: "Starting",
  active: "Working",
  queued: "Queued",
  retrying: "Retrying",
  rate_limited: "Rate limited",
  dialog_open: "Needs you",
  your_turn: "Your turn",
  needs_you: "Needs you",
  ending: "Ending",
  paused: "Paused",
  exited: "Paused",
  interrupted: "Interrupted",
  closed: "Closed",
};

export function markOf({ state, live }: Pick<SessionView, "state"> & Partial<Pick<SessionView, "live">>): Mark {
  return live?.unreachable_since ? "error" : MARKS[state];
}

/** A session's state as a label, with the end of a rate limit if known; `Unreachable since 14:30` if its place is
 * unreachable. */
export function wordOf({ state, live }: Pick<SessionView, "state"> & Partial<Pick<SessionView, "live">>): string {
  const since = live?.unreachable_since;
  if (since) return `Unreachable since ${endOf(since)}`;
  return stateWord(state, live?.failure?.until ?? null);
}

/** The word for a state, for callers without the session. `until` is the end of a limit. */
export function stateWord(state: SessionState, until?: string | null): string {
  return state === "rate_limited" && until ? `${WORDS[state]} until ${endOf(until)}` : WORDS[state];
}

/** `14:30`, or `22 Jan 01:00` on another day. */
export function endOf(until: string, now = Date.now()): string {
  const today = new Date(until).toDateString() === new Date(now).toDateString();
  return today ? clock(until) : `${date(until, now)} ${clock(until)}`;
}

export function stateMark(state: SessionState): Mark {
  return MARKS[state];
}

/** The word for a mark that stands alone. */
export function markWord(mark: Mark): string {
  const [state] = (Object.keys(MARKS) as SessionState[]).filter((one) => MARKS[one] === mark && !PASSING.includes(one));
  return WORDS[state ?? "active"];
}

/** States that share a mark with a more general state. That state's label names the mark. */
const PASSING: SessionState[] = ["starting", "ending", "exited", "dialog_open"];

/** Whether the session cannot continue without the user: because of a request, a question or dialog in the terminal,
 * or a turn that failed for a reason other than a rate limit. */
export function needsYou({ state }: Pick<SessionView, "state">): boolean {
  return state === "needs_you" || state === "dialog_open";
}

/** The session's title, else its bead's, else the first line of its objective. */
export function titleOf(session: SessionView, bead?: Bead): string {
  const title = session.title || bead?.title || session.objective?.split("\n")[0] || "";
  return oneLine(title) || "Untitled session";
}

/** `Allow git push`, `Allow edit of login.rs`: a short title for a permission request. */
export function requestTitle(request: PermissionRequest): string {
  const input = request.input as Record<string, unknown> | null;
  const text = (key: string) => (typeof input?.[key] === "string" ? oneLine(input[key] as string) : "");
  if (request.tool === "AskUserQuestion") return oneLine(questionsOf(request)[0]?.question ?? "Claude asks a question");
  if (request.tool === "ExitPlanMode") return "Approve the plan";
  if (text("command")) return `Allow ${commandWords(text("command"))}`;
  const path = text("file_path") || text("notebook_path") || text("path");
  if (path) return `Allow ${request.tool.toLowerCase()} of ${path.split(/[\\/]/).pop()}`;
  return `Allow ${request.tool}`;
}

function commandWords(command: string): string {
  const words = command.trim().split(/\s+/);
  const kept = words.slice(0, 2).filter((word, i) => i === 0 || !word.startsWith("-"));
  return kept.join(" ").slice(0, 40);
}

export const MODES: { mode: PermissionMode; name: string; description: string }[] = [
  { mode: "manual", name: "Manual", description: "asks before every change" },
  { mode: "acceptEdits", name: "Accept edits", description: "asks before commands only" },
  { mode: "plan", name: "Plan", description: "reads and plans, changes nothing" },
  { mode: "auto", name: "Auto", description: "Claude decides what to ask" },
  { mode: "bypassPermissions", name: "Bypass", description: "never asks; you confirm once" },
];

export function modeName(mode: PermissionMode): string {
  return MODES.find((m) => m.mode === mode)?.name ?? mode;
}
