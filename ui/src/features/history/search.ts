/** Which sessions the history shows, and under which days. Pure. */
import type { Bead, Query as Asked, SessionView } from "../../generated/api";
import { momentOf } from "../../state/sessions.svelte";
import { titleOf } from "../../words/session";
import { day } from "../../words/time";

export type Since = "any" | "today" | "week" | "month" | "quarter";
export const SINCE: { value: Since; name: string; days: number | null }[] = [
  { value: "any", name: "Any time", days: null },
  { value: "today", name: "Today", days: 1 },
  { value: "week", name: "Last 7 days", days: 7 },
  { value: "month", name: "Last 30 days", days: 30 },
  { value: "quarter", name: "Last 90 days", days: 90 },
];

export interface Query {
  text: string;
  since: Since;
  agent: string | null;
  bead: string | null;
  status: SessionView["status"] | null;
  /** A part of a file's path. */
  file: string;
  /** The beginning of a commit's hash. */
  commit: string;
  oldestFirst: boolean;
}

export const EVERYTHING: Query = { text: "", since: "any", agent: null, bead: null, status: null, file: "", commit: "", oldestFirst: false };

export function find(
  sessions: readonly SessionView[],
  beadOf: (id: string | undefined) => Bead | undefined,
  query: Query,
  now: number,
  /** Sessions that have the text elsewhere, in what was said. */
  also: (id: string) => boolean = () => false,
): SessionView[] {
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
  const from = startOf(query.since, now);
  const found = sessions.filter((session) => {
    if (query.agent !== null && (session.agent_id ?? "") !== query.agent) return false;
    if (query.bead !== null && session.bead_id !== query.bead) return false;
    if (query.status !== null && session.status !== query.status) return false;
    if (query.file !== "" && !session.files_touched.some((path) => path.toLowerCase().includes(query.file.toLowerCase()))) return false;
    if (query.commit !== "" && !session.commits.some((hash) => hash.startsWith(query.commit.toLowerCase()))) return false;
    if (from !== null && Date.parse(momentOf(session)) < from) return false;
    if (words.length === 0 || also(session.id)) return true;
    const bead = beadOf(session.bead_id);
    const hay = [titleOf(session, bead), bead?.title, session.bead_id, session.agent_id, session.branch, session.objective, day(momentOf(session), now), momentOf(session).slice(0, 10)]
      .join(" ")
      .toLowerCase();
    return words.every((word) => hay.includes(word));
  });
  const newest = found.sort((a, b) => Date.parse(momentOf(b)) - Date.parse(momentOf(a)));
  return query.oldestFirst ? newest.reverse() : newest;
}

/** What the server is asked for. Days are of this machine and no agent is none of its names: those are seen to here. */
export function askedFor({ text, agent, bead, status, file, commit }: Query): Asked {
  return { text, agent: agent || null, bead, status: status ? [status] : [], file: file || null, commit: commit || null };
}

function startOf(since: Since, now: number): number | null {
  const days = SINCE.find((s) => s.value === since)?.days ?? null;
  if (days === null) return null;
  const at = new Date(now);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - days + 1).getTime();
}

export type Row = { kind: "day"; key: string; name: string; count: number } | { kind: "session"; key: string; session: SessionView };

/** The sessions with a heading before each day's first. */
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
