/** The timeline of a sample session, derived from its conversation. */
import type { Message, SessionView, Timeline, TimelineBand, TimelineEvent } from "../../generated/api";
import { sessionId } from "./sessions";
import type { FakeState } from "./state";
import { madeWeek } from "./week";

export function timelineOf(state: FakeState, session: SessionView): Timeline {
  const messages = state.messages.get(session.id) ?? [];
  if (session.id === sessionId(10)) return madeWeek(session, messages);
  return { bands: bandsOf(session, messages), events: eventsOf(session, messages), warnings: [] };
}

function bandsOf(session: SessionView, messages: Message[]): TimelineBand[] {
  const bands: TimelineBand[] = [];
  session.active_intervals.forEach((interval, at) => {
    const end = interval.end ?? null;
    const within = messages.filter((m) => m.timestamp >= interval.start && (!end || m.timestamp < end));
    let [kind, from] = ["active" as TimelineBand["kind"], interval.start];
    const enter = (next: TimelineBand["kind"], when: string) => {
      if (when !== from) bands.push({ kind, from, to: when, reason: kind === "waiting" ? "prompt" : null });
      [kind, from] = [next, when];
    };
    for (const message of within) {
      const next = message.role === "user" ? "working" : message.tool_calls?.length ? kind : "waiting";
      if (next !== kind) enter(next, message.timestamp);
    }
    bands.push({ kind, from, to: end, reason: kind === "waiting" ? "prompt" : null });
    const resumed = session.active_intervals[at + 1]?.start ?? null;
    const over = resumed ?? session.closed_at ?? null;
    if (end && (session.status === "paused" || resumed || (over && over > end))) {
      bands.push({ kind: "paused", from: end, to: over, reason: session.pause_reason ?? "user" });
    }
  });
  return bands;
}

function eventsOf(session: SessionView, messages: Message[]): TimelineEvent[] {
  const events: TimelineEvent[] = session.active_intervals.map(({ start }, at) => ({
    at: start,
    kind: at === 0 ? "start" : "resume",
    label: "",
    message: messages.find((m) => m.timestamp >= start)?.id ?? null,
  }));
  for (const { id: message, role, kind, content, timestamp: at, tool_calls } of messages) {
    const label = content.split("\n")[0]?.slice(0, 120) ?? "";
    if (role === "user" && !kind) events.push({ at, kind: "prompt", label, message });
    if (kind === "compaction") events.push({ at, kind: "compaction", label, message });
    if (kind === "api_error") events.push({ at, kind: "error", label, message });
    if (kind === "interrupted") events.push({ at, kind: "interrupted", label, message });
    for (const call of tool_calls ?? []) {
      if (call.is_error)
        events.push({
          at,
          kind: "tool_failed",
          label: `${call.tool}: ${Object.values(call.input ?? {})[0] ?? ""}`,
          message,
        });
    }
  }
  if (session.paused_at && session.status === "paused")
    events.push({ at: session.paused_at, kind: "pause", label: "by the user", message: messages.at(-1)?.id ?? null });
  if (session.closed_at)
    events.push({ at: session.closed_at, kind: "end", label: "by the user", message: messages.at(-1)?.id ?? null });
  return events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
