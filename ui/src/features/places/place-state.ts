/** The state of a place as a colour and a line, with a reason or a note below it. */
import type { Place, SessionView } from "../../generated/api";
import type { PlaceTest } from "../../state/places.svelte";
import { size } from "../../words/count";
import { wordOf } from "../../words/session";
import { sentence } from "../../words/text";
import { clock } from "../../words/time";

/** A larger difference from this machine's clock is reported. */
const CLOCK_APART_MS = 2000;

export interface PlaceState {
  tone: "good" | "bad" | "none";
  line: string;
  why?: string;
}

/** Whether a session belongs to the place; the empty name is this machine. */
export function isAt({ place }: SessionView, name: Place["name"]): boolean {
  return (place ?? "") === name;
}

/** `test` is `undefined` before the first test, and `null` while one runs. */
export function placeState(
  sessions: readonly SessionView[],
  test: PlaceTest | undefined,
  draining = false,
): PlaceState {
  const lost = sessions.find(({ live }) => live?.unreachable_since);
  if (lost) return { tone: "bad", line: wordOf(lost) };
  if (draining) return { tone: "none", line: "Draining", why: "No new session starts there" };
  if (test === undefined) return { tone: "none", line: "Not tested" };
  if (test === null) return { tone: "none", line: "Testing…" };
  if (test.error) return { tone: "bad", line: "Cannot be reached", why: test.error.message };
  const { check } = test;
  const bad = check?.parts.find(({ ok, required }) => required && !ok);
  if (bad) return { tone: "bad", line: "Cannot run sessions", why: sentence(bad.means) };
  const apart = Math.abs(check?.clock?.ahead_ms ?? 0) > CLOCK_APART_MS;
  const free = check?.free ? `${size(check.free)} free` : undefined;
  const why = apart ? "Its clock differs from this machine's" : free;
  return { tone: "good", line: `Tested at ${clock(new Date(test.at).toISOString())}`, ...(why ? { why } : {}) };
}
