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

describe("terminal keys", () => {
  it.each([
    ["a", []],
    ["c", ["ctrl"]],
    ["k", ["ctrl"]],
    ["n", ["alt"]],
    ["Tab", ["shift"]],
    ["Enter", ["ctrl", "shift"]],
    ["Escape", []],
    ["c", ["ctrl", "shift", "alt"]],
  ])("sends %s with %s to Claude", (key, held) => expect(terminalKey(press(key, held), false)).toBe(null));

  it.each([
    ["C", ["ctrl", "shift"], "copy"],
    ["V", ["ctrl", "shift"], "paste"],
    ["F", ["ctrl", "shift"], "search"],
    ["W", ["ctrl", "shift"], "leave"],
    ["`", ["ctrl"], "leave"],
  ])("leaves %s with %s to the window", (key, held, expected) =>
    expect(terminalKey(press(key, held), false)).toBe(expected),
  );

  it("leaves keys with ⌘ to the window on a Mac", () => {
    expect(terminalKey(press("c", ["meta"]), true)).toBe("copy");
    expect(terminalKey(press("C", ["ctrl", "shift"]), true)).toBe("copy");
    expect(terminalKey(press("c", ["ctrl"]), true)).toBe(null);
  });
});

describe("clipboard offers", () => {
  const check = (data: string, expected: string | null) => expect(offeredText(data)).toBe(expected);
  it("decode to text", () => check(`c;${btoa("git push")}`, "git push"));
  it("may contain any language", () =>
    check(`;${btoa(String.fromCharCode(...new TextEncoder().encode("größer")))}`, "größer"));
  it("are ignored if they are queries", () => check("c;?", null));
  it("are ignored if they are malformed", () => check("c;%%%", null));
  it("are ignored if they are not text", () => check(`c;${btoa("\xff\xfe")}`, null));
});

describe("terminal links", () => {
  it.each(["https://example.org/a", "http://127.0.0.1:8080/"])("opens %s", (text) =>
    expect(safeAddress(text)).toBe(text),
  );
  it.each(["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "vscode://x", "example.org", ""])(
    "does not open %s",
    (text) => expect(safeAddress(text)).toBe(null),
  );
});

describe("mouse handling in the terminal", () => {
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

  it("Ctrl+click follows a link once, without passing the click to Claude", () => {
    pointed.link = "https://example.com/";
    click({ ctrlKey: true });
    expect(pointed.followed).toEqual(["https://example.com/"]);
    expect(reached).toEqual([]);
  });

  it("follows a link that appeared under a resting pointer", () => {
    pointed.there = "https://example.com/";
    click({ ctrlKey: true });
    expect(pointed.followed).toEqual(["https://example.com/"]);
  });

  it("passes a plain click on a link, and Ctrl+click beside one, to Claude", () => {
    pointed.link = "https://example.com/";
    click();
    pointed.link = null;
    click({ ctrlKey: true });
    expect(pointed.followed).toEqual([]);
    expect(reached).toEqual(["mousedown", "mouseup", "mousedown", "mouseup"]);
  });

  it("follows nothing after a press outside the link", () => {
    pointed.link = "https://example.com/";
    mouse("mousedown", { ctrlKey: true });
    pointed.link = "https://example.org/";
    mouse("mouseup", { ctrlKey: true });
    expect(pointed.followed).toEqual([]);
  });

  it("passes pointer moves to Claude unless there is a selection", () => {
    mouse("mousemove");
    pointed.selected = true;
    mouse("mousemove");
    mouse("mousemove", { buttons: 1 });
    expect(reached).toEqual(["mousemove", "mousemove"]);
    expect(looked, "links are found nevertheless").toBe(3);
  });
});
