/** Filters sessions and groups them by day. Pure. */
import type { Bead, Query as Asked, SessionView } from "../../generated/api";
import { momentOf } from "../../state/sessions.svelte";
import { titleOf } from "../../words/session";
import { day, dayStart } from "../../words/time";

export type Since = "any" | "today" | "week" | "month" | "quarter" | "between";
export const SINCE: { value: Since; name: string; days: number | null }[] = [
  { value: "any", name: "Any time", days: null },
  { value: "today", name: "Today", days: 1 },
  { value: "week", name: "Last 7 days", days: 7 },
  { value: "month", name: "Last 30 days", days: 30 },
  { value: "quarter", name: "Last 90 days", days: 90 },
  { value: "between", name: "Between…", days: null },
];

export interface Query {
  text: string;
  since: Since;
  /** If `since` is `between`: the first and last day, such as `2026-11-20`; an empty one is open. */
  first: string;
  last: string;
  agent: string | null;
  bead: string | null;
  status: SessionView["status"] | null;
  /** A part of a file path. */
  file: string;
  /** A prefix of a commit hash. */
  commit: string;
  oldestFirst: boolean;
}

export const EVERYTHING: Query = {
  text: "",
  since: "any",
  first: "",
  last: "",
  agent: null,
  bead: null,
  status: null,
  file: "",
  commit: "",
  oldestFirst: false,
};

export function find(
  sessions: readonly SessionView[],
  beadOf: (id: string | undefined) => Bead | undefined,
  query: Query,
  now: number,
  /** Whether the engine's full-text search found a session. */
  also: (id: string) => boolean = () => false,
): SessionView[] {
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
  const [file, commit] = [query.file.toLowerCase(), query.commit.toLowerCase()];
  const range = rangeOf(query, now);
  const found = sessions.filter((session) => {
    if (query.agent !== null && (session.agent_id ?? "") !== query.agent) return false;
    if (query.bead !== null && session.bead_id !== query.bead) return false;
    if (query.status !== null && session.status !== query.status) return false;
    if (file !== "" && !session.files_touched.some((path) => path.toLowerCase().includes(file))) return false;
    if (commit !== "" && !session.commits.some((hash) => hash.startsWith(commit))) return false;
    if (!workedOn(session, range)) return false;
    if (words.length === 0 || also(session.id)) return true;
    const bead = beadOf(session.bead_id);
    const hay = [
      titleOf(session, bead),
      bead?.title,
      session.bead_id,
      session.agent_id,
      session.branch,
      session.objective,
      day(momentOf(session), now),
      momentOf(session).slice(0, 10),
    ]
      .join(" ")
      .toLowerCase();
    return words.every((word) => hay.includes(word));
  });
  const newest = found.sort((a, b) => Date.parse(momentOf(b)) - Date.parse(momentOf(a)));
  return query.oldestFirst ? newest.reverse() : newest;
}

/**
 * The query for the engine. `since` goes back to the creation of the oldest session that was active in the range, so
 * the engine can return more sessions than those in the range; `find` leaves out the others. The engine cannot filter
 * for sessions without an agent; `find` does.
 */
export function requestFor(query: Query, sessions: readonly SessionView[], now: number): Asked {
  const { text, agent, bead, status, file, commit } = query;
  const range = rangeOf(query, now);
  const made = sessions.filter((session) => workedOn(session, range)).map((session) => Date.parse(session.created_at));
  const since = range.from === null ? null : Math.min(range.from, ...made);
  return {
    text,
    since: stamp(since),
    until: stamp(range.to),
    agent: agent || null,
    bead,
    status: status ? [status] : [],
    file: file || null,
    commit: commit || null,
  };
}

function stamp(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** A time range in milliseconds, without its end; null for an open side. */
interface Range {
  from: number | null;
  to: number | null;
}

/** The range of the chosen days, in local time. */
function rangeOf({ since, first, last }: Query, now: number): Range {
  if (since === "between")
    return { from: dayStart(first)?.getTime() ?? null, to: dayStart(last, 1)?.getTime() ?? null };
  const days = SINCE.find((s) => s.value === since)?.days ?? null;
  if (days === null) return { from: null, to: null };
  const at = new Date(now);
  return { from: new Date(at.getFullYear(), at.getMonth(), at.getDate() - days + 1).getTime(), to: null };
}

/** Whether the session was active in the range; for a session without activity, whether it was created in the
 * range. */
function workedOn(session: SessionView, { from, to }: Range): boolean {
  if (from === null && to === null) return true;
  const moment = momentOf(session);
  const stretches =
    session.active_intervals.length > 0
      ? session.active_intervals.map(({ start, end }) => [start, end ?? session.closed_at ?? moment] as const)
      : [[moment, moment] as const];
  return stretches.some(
    ([start, end]) =>
      (to === null || Date.parse(start) < to) &&
      (from === null || Math.max(Date.parse(start), Date.parse(end)) >= from),
  );
}

export type Row =
  { kind: "day"; key: string; name: string; count: number } | { kind: "session"; key: string; session: SessionView };

/** The sessions, with a heading per day. */
export function rowsOf(sessions: readonly SessionView[], now: number): Row[] {
  const rows: Row[] = [];
  let heading: Extract<Row, { kind: "day" }> | undefined;
  for (const session of sessions) {
    const name = day(momentOf(session), now);
    if (heading?.name !== name) {
      heading = { kind: "day", key: `day-${name}`, name, count: 0 };
      rows.push(heading);
    }
    heading.count++;
    rows.push({ kind: "session", key: session.id, session });
  }
  return rows;
}
