/** What Claude is doing, in a few words, and when a queued message is sent. */
import type { Activity, ApiRetry, Live } from "../generated/api";
import { oneLine, visible } from "./text";

const SENDS_WHEN: Record<Activity, string> = {
  starting: "Sends when Claude is ready.",
  asks_at_start: "Sends when you answer in the terminal.",
  idle: "Sends when Claude is ready.",
  working: "Sends when this turn ends.",
  waiting_permission: "Sends when this turn ends.",
  dialog_open: "Sends when you close the dialog in the terminal.",
  unknown: "Sends when Claude's input box is empty. Check the terminal.",
  gone: "Sends when you resume the session.",
};

/** When a queued message is sent; null if it would be sent immediately. */
export function queuedUntil(live: Live | null): string | null {
  if (!live) return SENDS_WHEN.starting;
  return live.hold === null ? null : SENDS_WHEN[live.activity];
}

/** A notice of a question or dialog that the user can answer only in Claude's terminal; null if there is none. */
export function asksInTerminal(live: Live | null): string | null {
  if (live?.activity === "asks_at_start") return "Claude asks a question in the terminal before it starts.";
  if (live?.activity === "dialog_open") return "A dialog is open in the terminal.";
  const known = live?.activity !== "waiting_permission" || live.permissions.length > 0;
  return known ? null : "Claude is waiting at a dialog in the terminal.";
}

/** The time after which a start without any hook call counts as silent, in milliseconds. Even a busy machine is
 * faster. */
const SILENT_AFTER_MS = 45_000;

/** Why the chat cannot follow a Claude that calls no hooks; null if it calls them or may still be starting. */
export function silent(live: Live | null, now: number): string | null {
  if (!live || live.hooks_seen || live.activity !== "starting") return null;
  if (now - Date.parse(live.activity_since) < SILENT_AFTER_MS) return null;
  return (
    "Claude has not reported since it started, so the chat cannot follow it. Its hooks may be disabled by a setting " +
    "or a policy. Use the terminal, or allow hooks and resume the session."
  );
}

/** `Retrying (8/10): 401 invalid key`: Claude retries the API after a failure, which can take minutes. */
export function retrying({ attempt, of, why }: ApiRetry): string {
  return `Retrying (${attempt}/${of})${why ? `: ${visible(oneLine(why))}` : ""}`;
}

/** `Working`, `Starting Claude`; null if there is nothing to show. */
export function doing(live: Live | null, writing: boolean): string | null {
  if (!live || live.activity === "starting") return "Starting Claude";
  if (live.activity === "gone") return "Ending";
  // The conversation can continue while a subagent's request is open.
  if (writing) return "Writing";
  if (live.activity === "dialog_open") return "Dialog open";
  if (live.activity === "working" && live.retry) return retrying(live.retry);
  return live.activity === "working" ? "Working" : null;
}
