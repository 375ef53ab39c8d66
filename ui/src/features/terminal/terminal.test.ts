import { beforeEach, describe, expect, it } from "vitest";
import { offeredText } from "./clipboard";
import { terminalKey } from "./keys";
import { safeAddress } from "./link";
import { keepMouse } from "./mouse";

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
  ])("%s with %s is the window's", (key, held, expected) =>
    expect(terminalKey(press(key, held), false)).toBe(expected),
  );

  it("with ⌘ are the window's on a Mac", () => {
    expect(terminalKey(press("c", ["meta"]), true)).toBe("copy");
    expect(terminalKey(press("C", ["ctrl", "shift"]), true)).toBe("copy");
    expect(terminalKey(press("c", ["ctrl"]), true)).toBe(null);
  });
});

describe("what a program offers for the clipboard", () => {
  const check = (data: string, expected: string | null) => expect(offeredText(data)).toBe(expected);
  it("is its text", () => check(`c;${btoa("git push")}`, "git push"));
  it("may be of any language", () =>
    check(`;${btoa(String.fromCharCode(...new TextEncoder().encode("größer")))}`, "größer"));
  it("is nothing when it asks what is there", () => check("c;?", null));
  it("is nothing when it makes no sense", () => check("c;%%%", null));
  it("is nothing when it is no text", () => check(`c;${btoa("\xff\xfe")}`, null));
});

describe("links in the terminal", () => {
  it.each(["https://example.org/a", "http://127.0.0.1:8080/"])("%s can be opened", (text) =>
    expect(safeAddress(text)).toBe(text),
  );
  it.each(["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "vscode://x", "example.org", ""])(
    "%s cannot",
    (text) => expect(safeAddress(text)).toBe(null),
  );
});

describe("the mouse that is not claude's", () => {
  const pointed = {
    link: null as string | null,
    there: undefined as string | undefined,
    selected: false,
    followed: [] as string[],
  };
  const place = document.createElement("div");
  const terminal = place.appendChild(document.createElement("div"));
  const inner = terminal.appendChild(document.createElement("div"));
  const reached: string[] = [];
  let looked = 0;
  for (const type of ["mousedown", "mouseup", "mousemove"]) terminal.addEventListener(type, () => reached.push(type));
  inner.addEventListener("mousemove", () => looked++);
  keepMouse(place, inner, {
    look: () => void (pointed.link = pointed.there ?? pointed.link),
    link: () => pointed.link,
    selected: () => pointed.selected,
    follow: (address) => pointed.followed.push(address),
  });
  const mouse = (type: string, how: MouseEventInit = {}) =>
    inner.dispatchEvent(new MouseEvent(type, { bubbles: true, ...how }));
  const click = (how: MouseEventInit = {}) => (mouse("mousedown", how), mouse("mouseup", how));

  beforeEach(() => {
    Object.assign(pointed, { link: null, there: undefined, selected: false, followed: [] });
    reached.length = 0;
    looked = 0;
  });

  it("a link is followed with Ctrl, once, and claude does not hear of it", () => {
    pointed.link = "https://example.com/";
    click({ ctrlKey: true });
    expect(pointed.followed).toEqual(["https://example.com/"]);
    expect(reached).toEqual([]);
  });

  it("a link that was drawn under a resting pointer is followed too", () => {
    pointed.there = "https://example.com/";
    click({ ctrlKey: true });
    expect(pointed.followed).toEqual(["https://example.com/"]);
  });

  it("a plain click on a link, and Ctrl beside one, are claude's", () => {
    pointed.link = "https://example.com/";
    click();
    pointed.link = null;
    click({ ctrlKey: true });
    expect(pointed.followed).toEqual([]);
    expect(reached).toEqual(["mousedown", "mouseup", "mousedown", "mouseup"]);
  });

  it("a press that is drawn off its link follows nothing", () => {
    pointed.link = "https://example.com/";
    mouse("mousedown", { ctrlKey: true });
    pointed.link = "https://example.org/";
    mouse("mouseup", { ctrlKey: true });
    expect(pointed.followed).toEqual([]);
  });

  it("moving is claude's but over a selection that stands", () => {
    mouse("mousemove");
    pointed.selected = true;
    mouse("mousemove");
    mouse("mousemove", { buttons: 1 });
    expect(reached).toEqual(["mousemove", "mousemove"]);
    expect(looked, "links are found all the same").toBe(3);
  });
});
