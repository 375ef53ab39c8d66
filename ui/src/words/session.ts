/** A session's state as one mark and one word, the same in every view, and its title. */
import type { Bead, PermissionMode, PermissionRequest, SessionState, SessionView } from "../generated/api";
import { oneLine } from "./text";

export type Mark = "needs" | "turn" | "active" | "paused" | "closed" | "draft" | "error";

const MARKS: Record<SessionState, Mark> = {
  draft: "draft",
  starting: "active",
  active: "active",
  dialog_open: "active",
  your_turn: "turn",
  needs_you: "needs",
  ending: "active",
  paused: "paused",
  exited: "paused",
  interrupted: "error",
  closed: "closed",
};

/** The same words as on the command line; a test of bc-wire compares them. */
const WORDS: Record<SessionState, string> = {
  draft: "draft",
  starting: "starting",
  active: "active",
  dialog_open: "dialog open",
  your_turn: "your turn",
  needs_you: "needs you",
  ending: "ending",
  paused: "paused",
  exited: "claude exited",
  interrupted: "claude stopped",
  closed: "closed",
};

export function markOf({ state }: Pick<SessionView, "state">): Mark {
  return MARKS[state];
}

/** The word beside the mark, in lower case. */
export function wordOf({ state }: Pick<SessionView, "state">): string {
  return WORDS[state];
}

/** Whether Claude has an open request. */
export function needsYou({ state }: Pick<SessionView, "state">): boolean {
  return state === "needs_you";
}

/** Whether it waits for the user: Claude asks, or its turn is over. Both count in Needs you. */
export function waitsForUser({ state }: Pick<SessionView, "state">): boolean {
  return state === "needs_you" || state === "your_turn";
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
  if (request.tool === "AskUserQuestion") {
    const questions = input?.["questions"];
    const first: unknown = Array.isArray(questions) ? questions[0] : undefined;
    const question = (first as { question?: unknown } | undefined)?.question;
    return typeof question === "string" ? oneLine(question) : "Claude asks a question";
  }
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
