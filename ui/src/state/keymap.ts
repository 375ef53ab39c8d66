/**
 * The commands' keyboard shortcuts. `Mod` is ⌘ on a Mac and Ctrl elsewhere. `browser` replaces a shortcut that
 * browsers reserve.
 */
import type { CommandId } from "./commands";
import { VIEWS } from "./tabs";

export type Where = "anywhere" | "untyped" | "view" | "board" | "memory" | "fleet" | "panel" | "composer";

export interface Binding {
  command: CommandId;
  keys: string;
  browser?: string;
  /**
   * Where the shortcut works. `anywhere`: also while typing. `untyped`: not while typing, but also in sheets.
   * `view`: neither while typing nor in sheets. `board`, `memory`, `fleet`: as `view`, if that view is shown and the
   * session panel has no focus. `panel`: as `view`, in the session panel. `composer`: only in the composer, which
   * handles the key itself.
   */
  where: Where;
}

/** The positions of the sessions that have a shortcut. */
export const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

export const KEYMAP: readonly Binding[] = [
  { command: "palette", keys: "Mod+K", where: "anywhere" },
  { command: "session.new", keys: "Mod+N", browser: "Alt+N", where: "anywhere" },
  ...DIGITS.map((n): Binding => ({
    command: `session.switch.${n}`,
    keys: `Mod+${n}`,
    browser: `Alt+${n}`,
    where: "anywhere",
  })),
  // Ctrl on a Mac as well, where ⌘ with Shift and a digit takes screenshots.
  ...VIEWS.map(({ id }, i): Binding => ({
    command: `view.${id}`,
    keys: `Ctrl+Shift+${i}`,
    browser: `Alt+Shift+${i}`,
    where: "anywhere",
  })),
  { command: "sidebar", keys: "Mod+B", where: "anywhere" },
  { command: "help", keys: "?", where: "view" },
  { command: "search", keys: "/", where: "view" },
  { command: "panel.close", keys: "Mod+Shift+W", browser: "Alt+W", where: "anywhere" },
  { command: "panel.fill", keys: "Mod+Shift+F", where: "anywhere" },
  { command: "panel.terminal", keys: "Ctrl+`", where: "anywhere" },
  { command: "panel.changes", keys: "Mod+Shift+D", where: "anywhere" },
  { command: "panel.beside", keys: "Mod+Shift+E", where: "anywhere" },
  { command: "session.mode", keys: "Shift+Tab", where: "composer" },
  { command: "board.left", keys: "h", where: "board" },
  { command: "board.down", keys: "j", where: "board" },
  { command: "board.up", keys: "k", where: "board" },
  { command: "board.right", keys: "l", where: "board" },
  { command: "board.move_left", keys: "Shift+H", where: "board" },
  { command: "board.move_right", keys: "Shift+L", where: "board" },
  { command: "board.move_to", keys: "m", where: "board" },
  { command: "board.menu", keys: "Shift+F10", where: "board" },
  { command: "board.menu", keys: "ContextMenu", where: "board" },
  { command: "board.open", keys: "Enter", where: "board" },
  { command: "board.start", keys: "s", where: "board" },
  { command: "bead.create", keys: "c", where: "view" },
  { command: "undo", keys: "Mod+Z", where: "untyped" },
  { command: "board.select", keys: "x", where: "board" },
  { command: "board.copy", keys: "y", where: "board" },
  { command: "board.edit", keys: "e", where: "board" },
  { command: "board.select_all", keys: "Mod+A", where: "board" },
  { command: "graph.zoom_in", keys: "+", where: "board" },
  // The same key without Shift on many keyboards.
  { command: "graph.zoom_in", keys: "=", where: "board" },
  { command: "graph.zoom_out", keys: "-", where: "board" },
  { command: "graph.fit", keys: "0", where: "board" },
  { command: "memory.down", keys: "j", where: "memory" },
  { command: "memory.up", keys: "k", where: "memory" },
  { command: "memory.open", keys: "Enter", where: "memory" },
  { command: "memory.select", keys: "x", where: "memory" },
  { command: "memory.new", keys: "n", where: "memory" },
  { command: "memory.zoom_in", keys: "+", where: "memory" },
  // The same key without Shift on many keyboards.
  { command: "memory.zoom_in", keys: "=", where: "memory" },
  { command: "memory.zoom_out", keys: "-", where: "memory" },
  { command: "memory.fit", keys: "0", where: "memory" },
  { command: "fleet.down", keys: "j", where: "fleet" },
  { command: "fleet.up", keys: "k", where: "fleet" },
  { command: "fleet.open", keys: "Enter", where: "fleet" },
  { command: "fleet.act", keys: "s", where: "fleet" },
  { command: "fleet.select", keys: "x", where: "fleet" },
  { command: "fleet.agent", keys: "n", where: "fleet" },
  { command: "fleet.convoy", keys: "v", where: "fleet" },
  { command: "fleet.assign_all", keys: "d", where: "fleet" },
  { command: "fleet.broadcast", keys: "b", where: "fleet" },
  { command: "fleet.terminals", keys: "t", where: "fleet" },
  { command: "fleet.pane_next", keys: "Mod+Shift+J", where: "anywhere" },
  { command: "fleet.pane_previous", keys: "Mod+Shift+K", where: "anywhere" },
  { command: "fleet.pane_zoom", keys: "Mod+Shift+Z", where: "anywhere" },
];

export interface Machine {
  mac: boolean;
  browser: boolean;
}

export function machine(): Machine {
  return {
    mac: /Mac|iPhone|iPad/.test(navigator.platform),
    browser: !("__TAURI_INTERNALS__" in window),
  };
}

/** The keys that submit a dialog or a message, as shown on its button. */
export function submitKeys(on: Machine = machine()): string {
  return on.mac ? "⌘↵" : "Ctrl ↵";
}

/** A key event as a chord in the keymap's notation: `Mod+Shift+F`, `?`, `h`. */
export function chordOf(event: KeyboardEvent, on: Machine): string {
  const mod = on.mac ? event.metaKey : event.ctrlKey;
  const parts: string[] = [];
  if (mod) parts.push("Mod");
  if (on.mac && event.ctrlKey) parts.push("Ctrl");
  if (event.altKey) parts.push("Alt");
  const named = event.key.length > 1;
  // Shift is named only in chords and for named keys: it already changes a typed character.
  if (event.shiftKey && (named || parts.length > 0)) parts.push("Shift");
  parts.push(keyName(event, parts.length > 0));
  return parts.join("+");
}

function keyName(event: KeyboardEvent, chord: boolean): string {
  if (!chord) return event.key;
  // With Alt, a Mac types other characters; the code still identifies the key.
  const code = /^(?:Key|Digit)(.)$/.exec(event.code)?.[1];
  return code ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
}

/** The command for a shortcut; `typing`: whether a text field has focus. */
export function resolve(
  chord: string,
  place: { where: readonly Where[]; typing: boolean },
  on: Machine,
): CommandId | null {
  for (const binding of KEYMAP) {
    if (binding.where !== "anywhere" && (place.typing || !place.where.includes(binding.where))) continue;
    if (chordsOf(binding, on).includes(chord)) return binding.command;
  }
  return null;
}

function chordsOf(binding: Binding, on: Machine): string[] {
  // Without other modifiers, Shift and a letter arrive as the capital letter.
  const letter = /^Shift\+([A-Z])$/.exec(binding.keys)?.[1];
  const plain = letter ?? (on.mac ? binding.keys : binding.keys.replace("Ctrl+", "Mod+"));
  return on.browser && binding.browser ? [binding.browser] : [plain];
}

/** The first shortcut of a command, for display: `Ctrl K`, `⌘K`, `S`. Undefined if there is none. */
export function keysOf(command: CommandId, on: Machine = machine()): string | undefined {
  const binding = KEYMAP.find((b) => b.command === command);
  if (!binding) return undefined;
  const chord = on.browser && binding.browser ? binding.browser : binding.keys;
  return on.mac
    ? chord.replace("Mod+", "⌘").replace("Shift+", "⇧").replace("Alt+", "⌥").replace("Ctrl+", "⌃")
    : chord
        .replace("Mod", "Ctrl")
        .split(/(?<=.)\+/)
        .map(shown)
        .join(" ");
}

function shown(key: string): string {
  return key.length === 1 ? key.toUpperCase() : key;
}

/** Whether a key is type-ahead in an open menu or list, where letters are not shortcuts. */
export function isChoosing({ target, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return (
    !ctrlKey &&
    !altKey &&
    !metaKey &&
    target instanceof Element &&
    target.closest("[role='menu'], [role='listbox']") !== null
  );
}

/** Whether keys are typed into a field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
