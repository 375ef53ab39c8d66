/** A week-long timeline with nights, many turns and most kinds of events. */
import type {
  BandKind,
  Message,
  SessionView,
  Timeline,
  TimelineBand,
  TimelineEvent,
  TimelineEventKind,
} from "../../generated/api";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TURNS = 40;

export function madeWeek(session: SessionView, messages: readonly Message[]): Timeline {
  const end = Date.parse(session.closed_at ?? session.created_at);
  const bands: TimelineBand[] = [];
  const events: TimelineEvent[] = [];
  const stamp = (at: number) => new Date(at).toISOString();
  const band = (kind: BandKind, from: number, to: number, reason: string | null = null) =>
    bands.push({ kind, from: stamp(from), to: stamp(to), reason });
  const event = (at: number, kind: TimelineEventKind, label = "") =>
    events.push({ at: stamp(at), kind, label, message: messages[events.length % messages.length]?.id ?? null });

  for (let day = 6; day >= 0; day--) {
    let at = end - day * 24 * HOUR - 7 * HOUR;
    if (day < 6) band("paused", end - (day + 1) * 24 * HOUR, at, "user");
    event(at, day === 6 ? "start" : "resume", day === 6 ? "Opus 5.5" : "");
    event(at, "injection", "recovery, 1.2 KB");
    band("active", at, at + MINUTE);
    at += MINUTE;
    for (let turn = 0; turn < TURNS; turn++) {
      const works = (2 + ((turn * 7 + day) % 9)) * MINUTE;
      event(at, "prompt", `Step ${(6 - day) * TURNS + turn + 1}: go on with the parser of PHC strings`);
      if (turn % 5 === 2) event(at + works / 2, "tool_failed", "Bash: cargo test -p gatehouse-auth, exit 101");
      if (turn % 9 === 4) event(at + works / 3, "permission_asked", "Bash: git push");
      if (turn % 9 === 4) event(at + works / 3 + MINUTE / 2, "permission_answered", "allowed");
      if (turn % 8 === 7) event(at + works, "commit", `4be19c7${turn} Verify in constant time`);
      if (turn === 25) event(at + works, "compaction", "");
      if (day === 3 && turn === 11) event(at + works, "error", "529 Overloaded");
      band("working", at, at + works);
      const rest = end - day * 24 * HOUR - (at + works);
      const waits = turn === TURNS - 1 ? rest : turn === 20 ? 75 * MINUTE : (1 + (turn % 3)) * MINUTE;
      band("waiting", at + works, at + works + Math.max(0, Math.min(waits, rest)), "prompt");
      at += works + waits;
      if (at >= end - day * 24 * HOUR) break;
    }
    event(end - day * 24 * HOUR, day === 0 ? "end" : "pause", day === 0 ? "its bead is in review" : "by the user");
  }
  return { bands, events: events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)), warnings: [] };
}
