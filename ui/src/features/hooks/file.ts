/** Reads and edits the entries of a hooks file. Unknown fields are preserved. Pure. */
import type { HookEvent, HookFileState } from "../../generated/api";

export const EVENTS: { value: HookEvent; name: string; description: string }[] = [
  { value: "sessionStart", name: "sessionStart", description: "a conversation starts" },
  { value: "sessionEnd", name: "sessionEnd", description: "an agent run ends" },
  { value: "userPromptSubmitted", name: "userPromptSubmitted", description: "a prompt is sent" },
  { value: "preToolUse", name: "preToolUse", description: "a tool is about to be used" },
  { value: "postToolUse", name: "postToolUse", description: "a tool was used" },
  { value: "errorOccurred", name: "errorOccurred", description: "a tool or a turn failed" },
];

export const STATES: Record<HookFileState, { name: string; description: string; tone: "on" | "ask" | "off" | "bad" }> =
  {
    own: { name: "Yours", description: "Runs without approval.", tone: "on" },
    trusted: { name: "Allowed", description: "Runs as you reviewed it.", tone: "on" },
    off: { name: "Disabled", description: "Allowed, but repository hooks are turned off.", tone: "off" },
    new: { name: "Not allowed", description: "Does not run until you allow it.", tone: "ask" },
    changed: { name: "Changed", description: "Changed since you allowed it. Does not run.", tone: "ask" },
    refused: { name: "Refused", description: "Cannot be allowed.", tone: "bad" },
    absent: { name: "Not found", description: "", tone: "off" },
  };

/** `STATES` for programs in the repository's git settings. */
export const GIT_STATES: typeof STATES = {
  ...STATES,
  trusted: { name: "Allowed", description: "Git runs these programs as you reviewed them.", tone: "on" },
  new: {
    name: "Not allowed",
    description: "Git would run these programs. Until you allow them, commands that need them are refused.",
    tone: "ask",
  },
  changed: {
    name: "Changed",
    description:
      "These programs changed since you allowed them. Until you allow them again, commands that need them are refused.",
    tone: "ask",
  },
};

/** The fields of a hook, as edited. */
export interface Written {
  event: HookEvent;
  command: string;
  cwd: string;
  seconds: number;
  enabled: boolean;
}
export const FRESH: Written = { event: "sessionEnd", command: "", cwd: ".", seconds: 30, enabled: true };

/** An entry's position: its event and index. */
export interface Place {
  event: HookEvent;
  at: number;
}
export interface Listed extends Written, Place {}

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** The hooks of a file; null if it cannot be edited. */
export function read(text: string | null): Listed[] | null {
  const file = parsed(text);
  if (!file) return null;
  return EVENTS.flatMap(({ value: event }) =>
    file.lists(event).flatMap((entry, at) =>
      isJson(entry)
        ? [
            {
              event,
              at,
              command: String(entry["bash"] ?? ""),
              cwd: String(entry["cwd"] ?? "."),
              seconds: Number(entry["timeoutSec"] ?? 30),
              enabled: entry["enabled"] !== false,
            },
          ]
        : [],
    ),
  );
}

/** The text with an entry added or replaced; null if it cannot be edited. */
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

/** The text without an entry; null if it cannot be edited. */
export function without(text: string | null, { event, at }: Place): string | null {
  const file = parsed(text);
  file?.set(event, file.lists(event).toSpliced(at, 1));
  return file?.text() ?? null;
}

/** Sets a field; a default value is written only if the field was present. */
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
