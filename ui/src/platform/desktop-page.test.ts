import { expect, test } from "vitest";
import { keepToWindow } from "./desktop-page";

const unopened: string[] = [];
keepToWindow((address) => unopened.push(address));

test("an address that nothing opens is told", () => {
  dispatchEvent(new CustomEvent("beads-console:unopened", { detail: "https://example.com/" }));
  dispatchEvent(new CustomEvent("beads-console:unopened", { detail: 3 }));
  expect(unopened).toEqual(["https://example.com/"]);
});

test("the webview's own menu is kept where there is something to copy or to paste", () => {
  document.body.innerHTML = '<p>text</p><a href="https://example.com/"><b>link</b></a><textarea></textarea>';
  const menu = (selector: string) =>
    document.querySelector(selector)!.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }));
  expect(menu("p")).toBe(false);
  expect(menu("b")).toBe(true);
  expect(menu("textarea")).toBe(true);
  document.getSelection()!.selectAllChildren(document.querySelector("p")!);
  expect(menu("p")).toBe(true);
});
