/** A conversation with its pauses: what a transcript shows, in order. Pure. */
import type { Message, SessionView } from "../../generated/api";
import { clock, duration } from "../../words/time";

export type Item = { kind: "message"; key: string; message: Message } | { kind: "divider"; key: string; text: string };

const SPECIAL: Partial<Record<NonNullable<Message["kind"]>, string>> = {
  compaction: "The conversation was compacted here",
  interrupted: "Interrupted",
};

export function timelineOf(messages: readonly Message[], session: SessionView): Item[] {
  const dividers = pausesOf(session);
  const items: Item[] = [];
  for (const message of messages) {
    const at = Date.parse(message.timestamp);
    while (dividers[0] && dividers[0].at <= at) {
      const pause = dividers.shift();
      if (pause) items.push({ kind: "divider", key: `pause-${pause.at}`, text: pause.text });
    }
    const text = message.kind && SPECIAL[message.kind];
    if (text) items.push({ kind: "divider", key: message.id, text: `${text} ${clock(message.timestamp)}` });
    else if (message.content.trim() !== "" || message.tool_calls?.length) items.push({ kind: "message", key: message.id, message });
  }
  for (const { at, text } of dividers) items.push({ kind: "divider", key: `pause-${at}`, text });
  if (session.closed_at) items.push({ kind: "divider", key: "closed", text: endOf(session, session.closed_at) });
  return items;
}

function pausesOf(session: SessionView): { at: number; text: string }[] {
  return session.active_intervals.flatMap((interval, i) => {
    const before = session.active_intervals[i - 1]?.end;
    if (!before) return [];
    const at = Date.parse(interval.start);
    return [{ at, text: `Paused ${duration(at - Date.parse(before), true)}, resumed ${clock(interval.start)}` }];
  });
}

function endOf(session: SessionView, closed: string): string {
  const moved = session.close_reason === "in_review" ? ", bead moved to In review" : "";
  return `Closed ${clock(closed)}${moved}`;
}
