/** The sessions whose terminals are side by side. Pure. */
import type { SessionId, SessionView } from "../generated/api";

/** The maximum number of panes. */
export const MOST = 4;

/** The chosen sessions that are still open; if there are none, the active sessions. */
export function panesOf(chosen: readonly SessionId[], sessions: readonly SessionView[]): SessionView[] {
  const open = chosen.flatMap((id) => sessions.find((s) => s.id === id && isOpen(s)) ?? []);
  return (open.length > 0 ? open : sessions.filter((s) => s.status === "active")).slice(0, MOST);
}

/** The other open sessions, active ones first. */
export function othersOf(shown: readonly SessionView[], sessions: readonly SessionView[]): SessionView[] {
  const others = sessions.filter((s) => isOpen(s) && !shown.some((one) => one.id === s.id));
  return others.sort((a, b) => Number(b.status === "active") - Number(a.status === "active"));
}

/** Adds `id`; if all panes are used, it replaces the last one. */
export function withPane(shown: readonly SessionView[], id: SessionId): SessionId[] {
  const ids = shown.map((s) => s.id).filter((other) => other !== id);
  return [...ids.slice(0, MOST - 1), id];
}

/** Replaces `other` with `id`; if both are shown, they swap places. */
export function inPlaceOf(shown: readonly SessionView[], other: SessionId, id: SessionId): SessionId[] {
  return shown.map((s) => (s.id === other ? id : s.id === id ? other : s.id));
}

function isOpen({ status }: SessionView): boolean {
  return status === "active" || status === "paused";
}
