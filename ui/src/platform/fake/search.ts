/** Search and conversation pages on the sample state. */
import type {
  FoundSession,
  Hit,
  Piece,
  Query,
  SearchAnswer,
  SessionFindParams,
  SessionFound,
  SessionPageParams,
  SessionView,
  TranscriptPage,
} from "../../generated/api";
import type { FakeState } from "./state";

/** The number of characters around a match in its excerpt. */
const CONTEXT = 60;
const SHOWN = 3;
const USUAL = 50;

export function searchOf(state: FakeState, query: Query): SearchAnswer {
  const words = (query.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const found = state.sessions
    .filter((session) => passes(session, query))
    .map((session) => foundIn(state, session, words))
    .filter((one) => words.length === 0 || one.hit_count > 0)
    .sort((a, b) => Number(named(b)) - Number(named(a)) || b.session.created_at.localeCompare(a.session.created_at));
  const [skip, limit] = [query.skip ?? 0, query.limit ?? USUAL];
  const notes =
    (query.text ?? "").split(/\s+/).length > 32
      ? ["Only the first 32 words were searched, and the first 200 characters of each."]
      : [];
  return { sessions: found.slice(skip, skip + limit), more: found.length > skip + limit, behind: 0, notes };
}

export function pageOf(state: FakeState, { id, before, at, message, limit = 200 }: SessionPageParams): TranscriptPage {
  const all = state.messages.get(id) ?? [];
  const many = limit ?? 200;
  const found = message
    ? all.findIndex((m) => m.id === message)
    : at
      ? all.findIndex((m) => Date.parse(m.timestamp) >= Date.parse(at))
      : -1;
  const place = found < 0 ? null : found;
  const around = place === null ? before : Math.max(0, place - Math.floor(many / 4)) + many;
  const end = Math.min(around ?? all.length, all.length);
  const first = Math.max(0, end - many);
  return { first, messages: all.slice(first, end), total: all.length, place, warnings: [] };
}

/** The case-insensitive literal matches in one conversation. */
export function findOf(state: FakeState, { id, text, skip, limit }: SessionFindParams): SessionFound {
  const wanted = text.trim().toLowerCase();
  const hits: Hit[] = [];
  (state.messages.get(id) ?? []).forEach(({ id: message, role, timestamp: at, content, tool_calls }, place) => {
    const texts: [string | null, string][] = [[null, content]];
    for (const call of tool_calls ?? [])
      texts.push([call.tool, `${Object.values(call.input ?? {}).join("\n")}\n${call.output ?? ""}`]);
    const found = texts.find(([, one]) => wanted !== "" && one.toLowerCase().includes(wanted));
    if (found) hits.push({ message, place, role, at, tool: found[0], snippet: around(found[1], [wanted]) });
  });
  const from = skip ?? 0;
  return { places: hits.map((hit) => hit.place ?? 0), hits: hits.slice(from, from + (limit ?? 50)) };
}

function passes(session: SessionView, { since, until, bead, agent, status = [], file, commit }: Query): boolean {
  const made = Date.parse(session.created_at);
  if (since && made < Date.parse(since)) return false;
  if (until && made >= Date.parse(until)) return false;
  if (bead && session.bead_id !== bead) return false;
  if (agent && session.agent_id !== agent) return false;
  if (status.length > 0 && !status.includes(session.status)) return false;
  if (file && !session.files_touched.some((path) => path.toLowerCase().includes(file.toLowerCase()))) return false;
  return !commit || session.commits.some((hash) => hash.startsWith(commit.toLowerCase()));
}

function named({ hits }: FoundSession): boolean {
  return hits.some((hit) => hit.message === null);
}

function foundIn(state: FakeState, session: SessionView, words: string[]): FoundSession {
  if (words.length === 0) return { session, hits: [], hit_count: 0 };
  const hits: Hit[] = [];
  for (const text of [session.title, session.objective]) {
    if (text && has(text, words))
      hits.push({
        message: null,
        place: null,
        role: null,
        at: session.created_at,
        tool: null,
        snippet: around(text, words),
      });
  }
  (state.messages.get(session.id) ?? []).forEach(({ id, role, timestamp: at, content, tool_calls = [] }, place) => {
    if (has(content, words)) hits.push({ message: id, place, role, at, tool: null, snippet: around(content, words) });
    for (const call of tool_calls) {
      const text = `${Object.values(call.input ?? {}).join(" ")} ${call.output ?? ""}`;
      if (has(text, words)) hits.push({ message: id, place, role, at, tool: call.tool, snippet: around(text, words) });
    }
  });
  return { session, hits: hits.slice(0, SHOWN), hit_count: Math.min(hits.length, 100) };
}

function has(text: string, words: string[]): boolean {
  const low = text.toLowerCase();
  return words.every((word) => low.includes(word));
}

function around(text: string, words: string[]): Piece[] {
  const flat = text.replace(/\s+/g, " ");
  const at = Math.max(0, flat.toLowerCase().indexOf(words[0] ?? "") - CONTEXT / 2);
  const cut = `${at > 0 ? "…" : ""}${flat.slice(at, at + 2 * CONTEXT)}${flat.length > at + 2 * CONTEXT ? "…" : ""}`;
  const marks = new RegExp(`(${words.map((word) => word.replace(/[\^$\\.*+?()[\]{}|/]/gu, "\\$&")).join("|")})`, "giu");
  return cut.split(marks).flatMap((piece, n) => (piece === "" ? [] : [{ text: piece, found: n % 2 === 1 }]));
}
