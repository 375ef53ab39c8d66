/** Hook runs as text. */
import type { HookRun } from "../../generated/api";
import { runTime } from "../../words/time";

export function wentWell(run: HookRun): boolean {
  return run.exit === 0 && !run.warning;
}

/** The exit code and duration. */
export function endOf({ exit, duration_ms }: HookRun): string {
  return `${exit === null ? "no exit code" : `exit ${exit}`}, ${runTime(duration_ms)}`;
}

/** The event of a run, with its reason. */
export function occasionOf({ event, reason }: HookRun): string {
  return reason ? `${event}, ${reason.replaceAll("_", " ")}` : event;
}
