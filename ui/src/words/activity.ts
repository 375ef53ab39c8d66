/** What claude is doing in a few words, and why a text waits. */
import type { Live } from "../generated/api";

/** Why a text would be held now; null where claude is at its prompt. */
export function heldBecause(live: Live | null): string | null {
  return live ? live.hold : "claude is starting";
}

/** A reason without what comes of it, for where there is one line. */
export function inShort(reason: string): string {
  return reason.split(";", 1)[0] ?? reason;
}

/** What claude waits for in its own terminal, where nothing here can answer it; null where it does not. */
export function asksInTerminal(live: Live | null): string | null {
  if (live?.activity === "asks_at_start") return "Claude asks something in its terminal before it begins.";
  const known = live?.activity !== "waiting_permission" || live.permissions.length > 0;
  return known ? null : "Claude waits at a dialog in its terminal.";
}

/** `Working`, `Starting claude`; null where there is nothing to say. */
export function doing(live: Live | null, writing: boolean): string | null {
  if (!live) return "Starting claude";
  if (live.activity === "starting") return "Starting claude";
  if (live.activity === "gone") return "Ending";
  // While a subagent asks, the conversation may go on.
  if (writing) return "Writing";
  return live.activity === "working" ? "Working" : null;
}
