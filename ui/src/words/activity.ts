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

/** `Working`, `Starting claude`; null where there is nothing to say. */
export function doing(live: Live | null, writing: boolean): string | null {
  if (!live) return "Starting claude";
  if (live.activity === "starting") return "Starting claude";
  if (live.activity === "gone") return "Ending";
  // While a subagent asks, the conversation may go on.
  if (writing) return "Writing";
  return live.activity === "working" ? "Working" : null;
}
