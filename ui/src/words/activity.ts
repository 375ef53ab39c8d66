/** What claude is doing in a few words, and why a text waits. */
import type { Live } from "../generated/api";

/** Why a text would be held now; null where claude is at its prompt. */
export function heldBecause(live: Live | null): string | null {
  if (!live) return "claude is starting";
  switch (live.activity) {
    case "idle":
      return null;
    case "starting":
      return "claude is starting";
    case "working":
      return "claude is working";
    case "waiting_permission":
      return "claude waits for your answer";
    case "unknown":
      return "a dialog or a half-written line may be open in the terminal";
  }
}

/** `Working`, `Starting claude`; null where there is nothing to say. */
export function doing(live: Live | null, writing: boolean): string | null {
  if (!live) return "Starting claude";
  if (live.activity === "starting") return "Starting claude";
  // While a subagent asks, the conversation may go on.
  if (writing) return "Writing";
  return live.activity === "working" ? "Working" : null;
}
