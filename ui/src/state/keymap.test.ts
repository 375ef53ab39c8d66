import { describe, expect, it } from "vitest";
import { chordOf, isChoosing, KEYMAP, keysOf, resolve, type Machine } from "./keymap";

const LINUX: Machine = { mac: false, browser: false };
const BROWSER: Machine = { mac: false, browser: true };
const MAC: Machine = { mac: true, browser: false };
const BOARD = { where: ["view", "board"] as const, typing: false };

function press(key: string, over: Partial<KeyboardEventInit> = {}): KeyboardEvent {
  return new KeyboardEvent("keydown", { key, ...over });
}

function check(event: KeyboardEvent, on: Machine, place: Parameters<typeof resolve>[1] = BOARD) {
  return resolve(chordOf(event, on), place, on);
}

describe("keys", () => {
  it("open the palette everywhere, also in a field", () => {
    expect(check(press("k", { ctrlKey: true, code: "KeyK" }), LINUX, { where: [], typing: true })).toBe("palette");
    expect(check(press("k", { metaKey: true, code: "KeyK" }), MAC, { where: [], typing: true })).toBe("palette");
    expect(check(press("k", { ctrlKey: true, code: "KeyK" }), MAC)).toBeNull();
  });

  it("use Alt instead of Ctrl in a browser that takes the chord", () => {
    expect(check(press("n", { ctrlKey: true, code: "KeyN" }), LINUX)).toBe("session.new");
    expect(check(press("n", { ctrlKey: true, code: "KeyN" }), BROWSER)).toBeNull();
    expect(check(press("n", { altKey: true, code: "KeyN" }), BROWSER)).toBe("session.new");
    expect(check(press("3", { altKey: true, code: "Digit3" }), BROWSER)).toBe("session.switch.3");
  });

  it("recognize a key whose character Alt changes on a Mac", () => {
    expect(check(press("˜", { altKey: true, code: "KeyN" }), { mac: true, browser: true })).toBe("session.new");
  });

  it("choose a view by its digit key everywhere, whatever character Shift types", () => {
    const typing = { where: [], typing: true };
    expect(check(press("!", { ctrlKey: true, shiftKey: true, code: "Digit1" }), LINUX, typing)).toBe("view.board");
    expect(check(press("%", { altKey: true, shiftKey: true, code: "Digit5" }), BROWSER, typing)).toBe("view.fleet");
    expect(check(press("@", { ctrlKey: true, shiftKey: true, code: "Digit2" }), MAC, typing)).toBe("view.history");
  });

  it("move the board's cursor as letters, but only type in a field", () => {
    expect(check(press("j"), LINUX)).toBe("board.down");
    expect(check(press("j"), LINUX, { where: ["view", "board"], typing: true })).toBeNull();
    expect(check(press("j"), LINUX, { where: ["view"], typing: false })).toBeNull();
    expect(check(press("?", { shiftKey: true }), LINUX)).toBe("help");
  });

  it("leave letters to an open menu, and keep chords working there", () => {
    document.body.innerHTML = `<div role="menu"><div role="menuitem"></div></div><button></button>`;
    const chooses = (place: string, event: KeyboardEvent) => {
      document.querySelector(place)?.dispatchEvent(event);
      return isChoosing(event);
    };
    expect([
      chooses("[role=menuitem]", press("c")),
      chooses("[role=menu]", press("D", { shiftKey: true })),
      chooses("button", press("c")),
    ]).toEqual([true, true, false]);
    expect(chooses("[role=menuitem]", press("k", { ctrlKey: true }))).toBe(false);
  });

  it("leave Shift+Tab to the browser outside the composer", () => {
    expect(check(press("Tab", { shiftKey: true }), LINUX, { where: ["panel", "view"], typing: false })).toBeNull();
    expect(check(press("Tab", { shiftKey: true }), LINUX)).toBeNull();
  });

  it("use Ctrl for the terminal on every system", () => {
    expect(check(press("`", { ctrlKey: true, code: "Backquote" }), LINUX)).toBe("panel.terminal");
    expect(check(press("`", { ctrlKey: true, code: "Backquote" }), MAC)).toBe("panel.terminal");
  });

  it("are unique per context", () => {
    for (const on of [LINUX, BROWSER, MAC]) {
      const seen = new Map<string, string>();
      for (const { command, keys, browser, where } of KEYMAP) {
        const scope = ["board", "memory"].includes(where) ? `view ${where}` : where;
        const chord = `${scope} ${on.browser && browser ? browser : keys}`;
        expect(seen.get(chord), chord).toBeUndefined();
        seen.set(chord, command);
      }
    }
  });

  it("are labelled as the system labels them", () => {
    expect(keysOf("palette", LINUX)).toBe("Ctrl K");
    expect(keysOf("palette", MAC)).toBe("⌘K");
    expect(keysOf("session.new", BROWSER)).toBe("Alt N");
    expect(keysOf("board.start", LINUX)).toBe("S");
    expect(keysOf("theme.dark", LINUX)).toBeUndefined();
    expect(keysOf("view.inbox", LINUX)).toBe("Ctrl Shift 0");
    expect([keysOf("view.board", LINUX), keysOf("view.fleet", BROWSER), keysOf("view.history", MAC)]).toEqual([
      "Ctrl Shift 1",
      "Alt Shift 5",
      "⌃⇧2",
    ]);
  });
});
