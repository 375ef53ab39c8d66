/** The text of a hooks file, read and changed entry by entry; everything else in it stays. Pure. */
import type { HookEvent, HookFileState } from "../../generated/api";

export const EVENTS: { value: HookEvent; name: string; says: string }[] = [
  { value: "sessionStart", name: "sessionStart", says: "a conversation begins" },
  { value: "sessionEnd", name: "sessionEnd", says: "a run of the agent ends" },
  { value: "userPromptSubmitted", name: "userPromptSubmitted", says: "a prompt is sent" },
  { value: "preToolUse", name: "preToolUse", says: "a tool is about to be used" },
  { value: "postToolUse", name: "postToolUse", says: "a tool was used" },
  { value: "errorOccurred", name: "errorOccurred", says: "a tool or a turn failed" },
];

export const STATES: Record<HookFileState, { name: string; says: string; tone: "on" | "ask" | "off" | "bad" }> = {
  own: { name: "Yours", says: "It runs without leave.", tone: "on" },
  trusted: { name: "Allowed", says: "It runs as you saw it.", tone: "on" },
  off: { name: "Switched off", says: "Allowed, but hooks of repositories are switched off.", tone: "off" },
  new: { name: "Not allowed", says: "It does not run until you allow it.", tone: "ask" },
  changed: { name: "Changed", says: "It is not what you allowed, and does not run.", tone: "ask" },
  refused: { name: "Refused", says: "It cannot be allowed.", tone: "bad" },
  absent: { name: "Not there", says: "", tone: "off" },
};

/** One hook as a person writes it. */
export interface Written {
  event: HookEvent;
  command: string;
  cwd: string;
  seconds: number;
  enabled: boolean;
}
export const FRESH: Written = { event: "sessionEnd", command: "", cwd: ".", seconds: 30, enabled: true };

/** Where an entry stands in its file: the how-many-eth of its event. */
export interface Place {
  event: HookEvent;
  at: number;
}
export interface Listed extends Written, Place {}

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** The hooks of a file; null where the text is none that could be changed entry by entry. */
export function read(text: string | null): Listed[] | null {
  const file = parsed(text);
  if (!file) return null;
  return EVENTS.flatMap(({ value: event }) =>
    file.lists(event).flatMap((entry, at) => (isJson(entry) ? [{ event, at, command: String(entry["bash"] ?? ""), cwd: String(entry["cwd"] ?? "."), seconds: Number(entry["timeoutSec"] ?? 30), enabled: entry["enabled"] !== false }] : [])),
  );
}

/** The text with an entry put in: in place of another one, or at the end of its event's; null where that cannot be. */
export function put(text: string | null, written: Written, place: Place | null): string | null {
  const file = parsed(text);
  if (!file) return null;
  const { event, command, cwd, seconds, enabled } = written;
  const old = place ? file.lists(place.event)[place.at] : undefined;
  const entry = { ...(isJson(old) ? old : { type: "command" }), bash: command } as Json;
  keep(entry, "cwd", cwd.trim() || ".", ".");
  keep(entry, "timeoutSec", seconds, 30);
  keep(entry, "enabled", enabled, true);
  if (place && place.event === event) file.set(event, file.lists(event).with(place.at, entry));
  else {
    if (place) file.set(place.event, file.lists(place.event).toSpliced(place.at, 1));
    file.set(event, [...file.lists(event), entry]);
  }
  return file.text();
}

/** The text without an entry. */
export function without(text: string | null, { event, at }: Place): string | null {
  const file = parsed(text);
  file?.set(event, file.lists(event).toSpliced(at, 1));
  return file?.text() ?? null;
}

/** What is as it would be anyway is not written, unless it was. */
function keep(entry: Json, name: string, value: unknown, usual: unknown): void {
  if (value !== usual || name in entry) entry[name] = value;
}

function parsed(text: string | null) {
  let whole: Json;
  try {
    const json: unknown = text === null || text.trim() === "" ? { version: 1, hooks: {} } : JSON.parse(text);
    if (!isJson(json)) return null;
    whole = json;
  } catch {
    return null;
  }
  const hooks = isJson(whole["hooks"]) ? { ...whole["hooks"] } : {};
  return {
    lists: (event: HookEvent): unknown[] => (Array.isArray(hooks[event]) ? hooks[event] : []),
    set(event: HookEvent, list: unknown[]): void {
      if (list.length > 0) hooks[event] = list;
      else delete hooks[event];
    },
    text: () => `${JSON.stringify({ ...whole, hooks }, null, 2)}\n`,
  };
}
