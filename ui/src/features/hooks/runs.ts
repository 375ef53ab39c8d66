/** Runs of hooks in words. */
import type { HookRun } from "../../generated/api";
import { duration } from "../../words/time";

/** Under this tenths of a second are worth showing, in milliseconds. */
const TENTHS = 9_950;

export function wentWell(run: HookRun): boolean {
  return run.exit === 0 && !run.warning;
}

/** How it ended and how long it took. */
export function endOf({ exit, duration_ms }: HookRun): string {
  const took = duration_ms < 1000 ? `${duration_ms} ms` : duration_ms < TENTHS ? `${(duration_ms / 1000).toFixed(1)} s` : duration(duration_ms, true);
  return `${exit === null ? "no exit code" : `exit ${exit}`}, ${took}`;
}

/** For what it ran, and why that was. */
export function occasionOf({ event, reason }: HookRun): string {
  return reason ? `${event}, ${reason.replaceAll("_", " ")}` : event;
}
