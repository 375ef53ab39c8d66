/**
 * Converts a conversation to list rows, in message order: messages, grouped tool calls with the transcripts
 * of their subagents, rows for subagents whose call is not loaded, and dividers for pauses, compactions and
 * the end. Pure.
 */
import type { ImageRef, Interval, Message, PermissionRequest, SessionView, ToolCall } from "../../generated/api";
import { moment, span } from "../../words/time";

interface Common {
  key: string;
  /** The time, for views that show it. */
  at?: string;
}

export type Row = Common &
  (
    | { kind: "mine"; text: string; code: boolean; images: readonly ImageRef[]; whole: boolean }
    | { kind: "text"; text: string }
    | { kind: "thought"; ms: number }
    | { kind: "thinking"; text: string }
    | {
        kind: "tools";
        calls: readonly ToolCall[];
        since: number | null;
        asked: readonly PermissionRequest[];
        above: boolean;
        below: boolean;
        /** The transcripts of all linked subagents, by the ID of the call that started each. */
        nested: ReadonlyMap<string, Nested>;
      }
    | { kind: "subagent"; name: string; steps: number; rows: readonly Row[] }
    | { kind: "output"; text: string }
    | { kind: "note"; text: string; images?: readonly ImageRef[] }
    /** The previous message has shortened texts. */
    | { kind: "left-out"; message: string; bytes: number }
    | { kind: "interrupted"; text: string }
    | { kind: "summary"; text: string }
    | { kind: "error"; text: string }
    | { kind: "divider"; text: string }
  );

/** The transcript of a subagent. */
export interface Nested {
  name: string;
  steps: number;
  rows: readonly Row[];
}

/** The shortest wait for the reply to a prompt that is shown as a row, in milliseconds. */
const MIN_WAIT_MS = 3000;
/** Tool calls are merged into one row up to this number, because a row is rendered as a whole. */
const MAX_CALLS = 32;

/** Whether the loaded part includes the beginning and the end of the conversation. */
export interface Part {
  begins: boolean;
  ends: boolean;
}
const WHOLE: Part = { begins: true, ends: true };

export function rowsOf(messages: readonly Message[], session: SessionView, now: number, part: Part = WHOLE): Row[] {
  const agents = linkedAgents(messages);
  const rows = new Rows(nestedOf(messages, agents));
  const resumes = resumesOf(session.active_intervals ?? []);
  const begin = part.begins ? -Infinity : Date.parse(messages[0]?.timestamp ?? "");
  let resumed = resumes.filter((resume) => Date.parse(resume.at) <= begin).length;
  const resumedBefore = (until: number) => {
    for (let next = resumes[resumed]; next && Date.parse(next.at) <= until; next = resumes[++resumed]) {
      const { at, paused } = next;
      rows.push({
        kind: "divider",
        key: `resumed ${at}`,
        at,
        text: `Paused for ${span(paused)}, resumed ${moment(at, now)}`,
      });
    }
  };
  for (const stretch of stretchesOf(messages, agents)) {
    const first = stretch[0];
    if (!first) continue;
    resumedBefore(Date.parse(first.timestamp));
    if (first.subagent === undefined) rows.addMessage(first);
    else rows.addSubagents(stretch);
  }
  if (!part.ends) return rows.list;
  resumedBefore(Infinity);
  const live = session.status === "active" ? (session.live ?? null) : null;
  if (live?.activity === "working" || live?.activity === "waiting_permission") rows.markRunning(live.permissions);
  const end = endOf(session, now);
  if (end) rows.push(end);
  return rows.list;
}

/** The IDs of the loaded calls that started subagents, by the subagent's name. Claude names the subagent in the
 * call's result; before that, the task's text identifies it. */
function linkedAgents(messages: readonly Message[]): ReadonlyMap<string, string> {
  const agents = new Map<string, string>();
  const tasks = new Map<string, string>();
  for (const { subagent, role, content, tool_calls } of messages) {
    for (const { tool, id, input, details } of tool_calls ?? []) {
      if (id === undefined || (tool !== "Task" && tool !== "Agent")) continue;
      const prompt = input["prompt"];
      if (details?.subagent) agents.set(details.subagent, id);
      else if (typeof prompt === "string") tasks.set(prompt.trim(), id);
    }
    if (subagent === undefined || role !== "user" || agents.has(subagent)) continue;
    const call = tasks.get(content.trim());
    if (call !== undefined) agents.set(subagent, call);
  }
  return agents;
}

function nestedOf(messages: readonly Message[], agents: ReadonlyMap<string, string>): ReadonlyMap<string, Nested> {
  const nested = new Map<string, Nested>();
  if (agents.size === 0) return nested;
  const own = new Map<string, Message[]>();
  for (const message of messages) {
    if (message.subagent === undefined || !agents.has(message.subagent)) continue;
    const list = own.get(message.subagent);
    if (list) list.push(message);
    else own.set(message.subagent, [message]);
  }
  for (const [name, list] of own) nested.set(agents.get(name) ?? "", { name, ...transcriptOf(list) });
  return nested;
}

function transcriptOf(messages: readonly Message[]): { steps: number; rows: readonly Row[] } {
  const rows = new Rows();
  messages.forEach((message) => rows.addMessage(message));
  return { steps: messages.reduce((sum, message) => sum + (message.tool_calls?.length ?? 0), 0), rows: rows.list };
}

/** Single messages, and consecutive subagent messages as one group. */
function* stretchesOf(messages: readonly Message[], agents: ReadonlyMap<string, string>): Generator<Message[]> {
  let together: Message[] = [];
  for (const message of messages) {
    // A linked subagent's messages are shown within the call that started it.
    if (message.subagent !== undefined && agents.has(message.subagent)) continue;
    if (message.subagent !== undefined) {
      together.push(message);
      continue;
    }
    if (together.length > 0) yield together;
    together = [];
    yield [message];
  }
  if (together.length > 0) yield together;
}

class Rows {
  readonly list: Row[] = [];
  readonly #nested: ReadonlyMap<string, Nested>;
  /** Whether a prompt has no reply yet. */
  #asked = false;

  constructor(nested: ReadonlyMap<string, Nested> = new Map()) {
    this.#nested = nested;
  }

  push(row: Row): void {
    this.list.push(row);
  }

  addMessage(message: Message): void {
    this.#addMain(message);
    const { id, left_out: bytes } = message;
    if (bytes) this.push({ kind: "left-out", key: `${id} left out`, message: id, bytes });
  }

  #addMain(message: Message): void {
    const { id: key, timestamp: at, images = [] } = message;
    const text = images.length > 0 ? withoutImages(message.content) : message.content;
    const base = { key, at, text };
    const whole = message.left_out === undefined;
    if (message.role === "assistant") return this.#addReply(message);
    this.#asked = message.role === "user";
    switch (message.kind) {
      case "compaction":
        return this.push({ kind: "divider", key, at, text: "Conversation compacted" });
      case "compaction_summary":
      case "earlier_summary":
        return this.push({ kind: "summary", ...base });
      case "attachment":
        return this.push({ kind: "note", images, ...base });
      case "api_error":
        return this.push({ kind: "error", ...base });
      case "interrupted":
        return this.push({ kind: "interrupted", ...base });
      case "local_command":
        return this.push(
          message.role === "user" ? { kind: "mine", code: true, images, whole, ...base } : { kind: "output", ...base },
        );
      case undefined:
        return this.push(
          message.role === "user" ? { kind: "mine", code: false, images, whole, ...base } : { kind: "note", ...base },
        );
    }
  }

  #addReply({ id, timestamp: at, content, tool_calls, latency_ms = 0, kind, thinking, partial }: Message): void {
    if (this.#asked && latency_ms >= MIN_WAIT_MS) this.push({ kind: "thought", key: `${id} thought`, ms: latency_ms });
    this.#asked = false;
    if (kind === "api_error") return this.push({ kind: "error", key: id, at, text: content });
    if (thinking) this.push({ kind: "thinking", key: `${id} thinking`, at, text: thinking });
    if (content.trim() !== "") this.push({ kind: "text", key: id, at, text: content });
    if (partial)
      this.push({
        kind: "note",
        key: `${id} partial`,
        text: "Incomplete: Claude stopped before the reply was finished.",
      });
    if (tool_calls && tool_calls.length > 0) this.#addTools(`${id} tools`, at, tool_calls);
  }

  #addTools(key: string, at: string, calls: readonly ToolCall[]): void {
    const last = this.list.at(-1);
    if (last?.kind === "tools" && last.calls.length + calls.length <= MAX_CALLS) {
      last.calls = [...last.calls, ...calls];
      return;
    }
    const above = last?.kind === "tools";
    if (above) last.below = true;
    this.push({ kind: "tools", key, at, calls, since: null, asked: [], above, below: false, nested: this.#nested });
  }

  addSubagents(stretch: readonly Message[]): void {
    const names = new Set(stretch.map((message) => message.subagent ?? ""));
    for (const name of names) {
      const own = stretch.filter((message) => message.subagent === name);
      const first = own[0];
      if (first)
        this.push({ kind: "subagent", key: `${first.id} ${name}`, at: first.timestamp, name, ...transcriptOf(own) });
    }
  }

  /** Marks the last tool row as running, unless a row such as a prompt, an error or a divider follows it. */
  markRunning(asked: readonly PermissionRequest[]): void {
    const beside: Row["kind"][] = ["subagent", "text", "note", "left-out"];
    const at = this.list.findLastIndex((row) => !beside.includes(row.kind));
    const row = this.list[at];
    if (row?.kind !== "tools") return;
    row.since = Date.parse(row.at ?? "");
    row.asked = asked;
  }
}

/** Removes the descriptions of images, since the images are shown. */
function withoutImages(text: string): string {
  return text.replace(/\[image: image\/[a-z]+, [\d,]+ KB\]/g, "").trim();
}

interface Resume {
  at: string;
  paused: number;
}

function resumesOf(intervals: readonly Interval[]): Resume[] {
  return intervals.slice(1).map((interval, i) => ({
    at: interval.start,
    paused: Math.max(0, Date.parse(interval.start) - Date.parse(intervals[i]?.end ?? interval.start)),
  }));
}

function endOf(session: SessionView, now: number): Row | null {
  if (session.status === "closed") {
    const at = session.closed_at ?? "";
    const moved = session.close_reason === "in_review" && session.bead_id ? ", bead moved to In review" : "";
    return { kind: "divider", key: "closed", text: `Closed ${moment(at, now)}${moved}` };
  }
  if (session.status === "paused") {
    const why = {
      user: "Paused",
      inactivity: "Paused when idle",
      exited: "Claude exited",
      interrupted: "Claude stopped unexpectedly",
      superseded: "Paused when another session started",
    }[session.pause_reason ?? "user"];
    return { kind: "divider", key: "paused", text: `${why} ${moment(session.paused_at ?? "", now)}` };
  }
  return null;
}
