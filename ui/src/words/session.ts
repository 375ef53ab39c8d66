/** A session's state in one mark and one word, and what it is called. "Needs you" outranks the rest. */
import type { Bead, PermissionMode, PermissionRequest, SessionView } from "../generated/api";
import { oneLine } from "./text";

export type Mark = "needs" | "active" | "paused" | "closed" | "draft" | "error";

export function markOf(session: SessionView): Mark {
  if (needsYou(session)) return "needs";
  if (session.status === "paused" && session.pause_reason === "interrupted") return "error";
  return session.status;
}

export function needsYou(session: SessionView): boolean {
  if (session.status !== "active" || !session.live || session.live.activity === "gone") return false;
  const { permissions, activity } = session.live;
  return permissions.length > 0 || activity === "waiting_permission" || activity === "asks_at_start";
}

/** The word beside the mark, in lower case. */
export function wordOf(session: SessionView): string {
  if (session.status === "active" && session.live?.activity === "gone") return "ending";
  switch (markOf(session)) {
    case "needs":
      return "needs you";
    case "error":
      return "claude stopped";
    case "paused":
      return session.pause_reason === "exited" ? "claude exited" : "paused";
    default:
      return session.status;
  }
}

/** Its own title, else its bead's, else the first words of its objective. */
export function titleOf(session: SessionView, bead?: Bead): string {
  const title = session.title || bead?.title || session.objective?.split("\n")[0] || "";
  return oneLine(title) || "Untitled session";
}

/** `Allow git push`, `Allow edit of login.rs`: a permission request in a few words. */
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

export const MODES: { mode: PermissionMode; name: string; says: string }[] = [
  { mode: "manual", name: "Manual", says: "asks before every change" },
  { mode: "acceptEdits", name: "Accept edits", says: "asks for commands only" },
  { mode: "plan", name: "Plan", says: "reads and plans, changes nothing" },
  { mode: "auto", name: "Auto", says: "claude decides what to ask" },
  { mode: "bypassPermissions", name: "Bypass", says: "never asks, confirms first" },
];

export function modeName(mode: PermissionMode): string {
  return MODES.find((m) => m.mode === mode)?.name ?? mode;
}
