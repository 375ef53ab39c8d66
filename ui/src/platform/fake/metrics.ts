/** Metrics of the sample sessions. */
import type {
  Amount,
  Day,
  ProjectMetrics,
  ProjectMetricsParams,
  Range,
  SessionMetrics,
  SessionView,
  Share,
  TokenKinds,
  ToolCount,
} from "../../generated/api";
import type { FakeState } from "./state";

const DAY = 24 * 36e5;
const DAYS: Record<Range, number> = { today: 1, week: 7, month: 30, quarter: 90, all: 60 };

export function sessionMetricsOf(state: FakeState, session: SessionView): SessionMetrics {
  const calls = (state.messages.get(session.id) ?? []).flatMap((message) => message.tool_calls ?? []);
  const tools = new Map<string, ToolCount>();
  for (const { tool, is_error } of calls) {
    const { calls = 0, errors = 0 } = tools.get(tool) ?? {};
    tools.set(tool, { tool, calls: calls + 1, errors: errors + (is_error ? 1 : 0) });
  }
  const { id, duration_ms, message_count, tokens, total_tokens = 0, cost_usd = null, files_touched, commits } = session;
  return {
    id,
    duration_ms,
    message_count,
    tokens,
    total_tokens,
    cost_usd,
    files_touched: files_touched.length,
    commits: commits.length,
    tools: [...tools.values()].sort((a, b) => b.calls - a.calls),
    tool_calls: calls.length,
    errors: calls.filter((call) => call.is_error).length,
    latency: message_count > 0 ? { median_ms: 1840, p90_ms: 6200, answers: Math.ceil(message_count / 2) } : null,
  };
}

export function projectMetricsOf(state: FakeState, params: ProjectMetricsParams): ProjectMetrics {
  const { range = "week", agent = null, label = null } = params;
  const labelled = (bead: string | undefined) =>
    state.beads.some(({ id, labels }) => id === bead && label !== null && labels.includes(label));
  const all = state.sessions.filter(
    (s) =>
      s.status !== "draft" &&
      (agent === null || (s.agent_id ?? "") === agent) &&
      (label === null || labelled(s.bead_id ?? undefined)),
  );
  const within = (from: number, to: number) =>
    all.filter((s) => {
      const age = state.now - Date.parse(s.created_at);
      return age >= from * DAY && age < to * DAY;
    });
  const inRange = within(0, DAYS[range]);
  const closedWithin = (from: number, to: number) =>
    state.beads.filter(({ closed_at }) => {
      const age = closed_at ? state.now - Date.parse(closed_at) : Infinity;
      return age >= from * DAY && age < to * DAY;
    }).length;
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const first = Math.min(...inRange.map((s) => Date.parse(s.created_at)), state.now);
  const count = range === "all" ? Math.floor((state.now - first) / DAY) + 2 : DAYS[range];
  const days: Day[] = Array.from({ length: count }, (_, n) => {
    const date = dayOf(state.now - (count - 1 - n) * DAY);
    const ofDay = inRange.filter((s) => s.created_at.startsWith(date));
    const total = sum(ofDay);
    return { date, sessions: ofDay.length, kinds: kindsOf(total.tokens), ...total };
  });
  const total = sum(inRange);
  const beads = shares(inRange, (s) => s.bead_id ?? "");
  const onBeads = beads.filter((share) => share.name !== "");
  const bead_sessions = onBeads
    .map(({ name }) => ({ bead: name, sessions: all.filter((s) => s.bead_id === name).length }))
    .sort((a, b) => b.sessions - a.sessions);
  const earlier = within(DAYS[range], 2 * DAYS[range]);
  // The sample project has no earlier period, so the comparison is made up.
  const noEarlier = earlier.length === 0 && inRange.length > 0;
  const earlierCount = noEarlier ? Math.round(inRange.length * 0.8) : earlier.length;
  const before = noEarlier ? scaled(total, 0.9) : sum(earlier);
  return {
    dashboard: {
      range,
      counted_at: new Date(state.now).toISOString(),
      days,
      sessions: inRange.length,
      average_duration_ms: inRange.length > 0 ? total.duration_ms / inRange.length : 0,
      sessions_per_bead:
        onBeads.length > 0 ? onBeads.reduce((n, share) => n + share.sessions, 0) / onBeads.length : null,
      total,
      beads,
      agents: shares(inRange, (s) => s.agent_id ?? "").sort((a, b) => b.sessions - a.sessions),
      previous:
        range === "all"
          ? null
          : {
              first: dayOf(state.now - (2 * DAYS[range] - 1) * DAY),
              last: dayOf(state.now - DAYS[range] * DAY),
              sessions: earlierCount,
              average_duration_ms: earlierCount > 0 ? before.duration_ms / earlierCount : 0,
              sessions_per_bead: earlierCount > 0 ? 1.4 : null,
              total: before,
              beads_closed: closedWithin(DAYS[range], 2 * DAYS[range]),
            },
      beads_closed: closedWithin(0, DAYS[range]),
      bead_sessions,
      agent_names: [...new Set(state.sessions.map((s) => s.agent_id ?? ""))].sort(),
    },
    days_csv: `date,sessions,tokens\n${days.map((d) => `${d.date},${d.sessions},${d.tokens}`).join("\n")}\n`,
    shares_csv: `kind,name,sessions,tokens\n${beads.map(shareLine).join("\n")}\n`,
  };
}

function scaled(amount: Amount, by: number): Amount {
  const [duration_ms, tokens] = [Math.round(amount.duration_ms * by), Math.round(amount.tokens * by)];
  return { ...amount, duration_ms, tokens, cost_usd: amount.cost_usd === null ? null : amount.cost_usd * by };
}

function kindsOf(tokens: number): TokenKinds {
  const [input, output] = [Math.floor(tokens * 0.22), Math.floor(tokens * 0.2)];
  return { input, output, cache_creation: tokens - input - output };
}

function shareLine(share: Share): string {
  return `bead,${share.name},${share.sessions},${share.tokens}`;
}

function sum(sessions: SessionView[]): Amount {
  const add = (value: (session: SessionView) => number) => sessions.reduce((n, session) => n + value(session), 0);
  return {
    duration_ms: add((s) => s.duration_ms),
    tokens: add((s) => s.total_tokens ?? 0),
    cost_usd: sessions.some((s) => s.cost_usd !== undefined) ? add((s) => s.cost_usd ?? 0) : null,
    messages: add((s) => s.message_count),
  };
}

function shares(sessions: SessionView[], nameOf: (session: SessionView) => string): Share[] {
  return [...new Set(sessions.map(nameOf))]
    .map((name) => ({ name, of: sessions.filter((s) => nameOf(s) === name) }))
    .map(({ name, of }) => ({ name, sessions: of.length, ...sum(of) }))
    .sort((a, b) => b.tokens - a.tokens);
}
