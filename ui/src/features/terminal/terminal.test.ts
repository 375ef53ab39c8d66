import { describe, expect, it } from "vitest";
import { offeredText } from "./clipboard";
import { terminalKey } from "./keys";
import { safeAddress } from "./link";

const press = (key: string, held: string[] = []) => ({
  key,
  code: key === "`" ? "Backquote" : "",
  ctrlKey: held.includes("ctrl"),
  shiftKey: held.includes("shift"),
  altKey: held.includes("alt"),
  metaKey: held.includes("meta"),
});

describe("keys in the terminal", () => {
  it.each([
    ["a", []],
    ["c", ["ctrl"]],
    ["k", ["ctrl"]],
    ["n", ["alt"]],
    ["Tab", ["shift"]],
    ["Enter", ["ctrl", "shift"]],
    ["Escape", []],
    ["c", ["ctrl", "shift", "alt"]],
  ])("%s with %s is claude's", (key, held) => expect(terminalKey(press(key, held), false)).toBe(null));

  it.each([
    ["C", ["ctrl", "shift"], "copy"],
    ["V", ["ctrl", "shift"], "paste"],
    ["F", ["ctrl", "shift"], "search"],
    ["W", ["ctrl", "shift"], "leave"],
    ["`", ["ctrl"], "leave"],
  ])("%s with %s is the window's", (key, held, expected) => expect(terminalKey(press(key, held), false)).toBe(expected));

  it("with ⌘ are the window's on a Mac", () => {
    expect(terminalKey(press("c", ["meta"]), true)).toBe("copy");
    expect(terminalKey(press("C", ["ctrl", "shift"]), true)).toBe("copy");
    expect(terminalKey(press("c", ["ctrl"]), true)).toBe(null);
  });
});

describe("what a program offers for the clipboard", () => {
  const check = (data: string, expected: string | null) => expect(offeredText(data)).toBe(expected);
  it("is its text", () => check(`c;${btoa("git push")}`, "git push"));
  it("may be of any language", () => check(`;${btoa(String.fromCharCode(...new TextEncoder().encode("größer")))}`, "größer"));
  it("is nothing when it asks what is there", () => check("c;?", null));
  it("is nothing when it makes no sense", () => check("c;%%%", null));
  it("is nothing when it is no text", () => check(`c;${btoa("\xff\xfe")}`, null));
});

describe("links in the terminal", () => {
  it.each(["https://example.org/a", "http://127.0.0.1:8080/"])("%s can be opened", (text) => expect(safeAddress(text)).toBe(text));
  it.each(["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "vscode://x", "example.org", ""])("%s cannot", (text) => expect(safeAddress(text)).toBe(null));
});
