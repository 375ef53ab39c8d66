/** Which sessions' terminals are side by side. Pure. */
import type { SessionId, SessionView } from "../generated/api";

/** So many fit. */
export const MOST = 4;

/** What was chosen and is not over; where nothing is left of that, what runs, in the order given. */
export function panesOf(chosen: readonly SessionId[], sessions: readonly SessionView[]): SessionView[] {
  const there = chosen.flatMap((id) => sessions.find((s) => s.id === id && isOpen(s)) ?? []);
  return (there.length > 0 ? there : sessions.filter((s) => s.status === "active")).slice(0, MOST);
}

/** Those that could be shown too: what runs comes first. */
export function othersOf(shown: readonly SessionView[], sessions: readonly SessionView[]): SessionView[] {
  const others = sessions.filter((s) => isOpen(s) && !shown.some((one) => one.id === s.id));
  return others.sort((a, b) => Number(b.status === "active") - Number(a.status === "active"));
}

/** `id` as well, in the place of the last one where there is no room. */
export function withPane(shown: readonly SessionView[], id: SessionId): SessionId[] {
  const ids = shown.map((s) => s.id).filter((other) => other !== id);
  return [...ids.slice(0, MOST - 1), id];
}

/** `id` where `other` is; where it is shown already the two change places. */
export function inPlaceOf(shown: readonly SessionView[], other: SessionId, id: SessionId): SessionId[] {
  return shown.map((s) => (s.id === other ? id : s.id === id ? other : s.id));
}

function isOpen({ status }: SessionView): boolean {
  return status === "active" || status === "paused";
}
