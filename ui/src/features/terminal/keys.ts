/**
 * The keys that do not go to Claude while the terminal has the focus: Ctrl+Shift shortcuts, Ctrl+`, and ⌘
 * shortcuts on a Mac.
 */

/** `copy`, `paste` and `search` act on the terminal. `leave` is a key for the window, and null a key for Claude. */
export type TerminalKey = "copy" | "paste" | "search" | "leave" | null;

type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "shiftKey" | "altKey" | "metaKey">;

export function terminalKey(press: Press, mac: boolean): TerminalKey {
  if (press.ctrlKey && !press.altKey && !press.metaKey && (press.key === "`" || press.code === "Backquote"))
    return "leave";
  const command = mac && press.metaKey && !press.ctrlKey && !press.altKey;
  const shortcut = press.ctrlKey && press.shiftKey && !press.altKey && !press.metaKey && press.key.length === 1;
  return command || shortcut ? ownKey(press) : null;
}

function ownKey(press: Press): TerminalKey {
  switch (press.key.toLowerCase()) {
    case "c":
      return "copy";
    case "v":
      return "paste";
    case "f":
      return "search";
    default:
      return "leave";
  }
}
