import { expect, test } from "vitest";
import { keepToWindow } from "./desktop-page";

const unopened: string[] = [];
keepToWindow((address) => unopened.push(address));

test("reports a link that nothing opens", () => {
  dispatchEvent(new CustomEvent("beads-console:unopened", { detail: "https://example.com/" }));
  dispatchEvent(new CustomEvent("beads-console:unopened", { detail: 3 }));
  expect(unopened).toEqual(["https://example.com/"]);
});

test("keeps the webview's context menu where text can be copied or pasted", () => {
  document.body.innerHTML = '<p>text</p><a href="https://example.com/"><b>link</b></a><textarea></textarea>';
  const menu = (selector: string) =>
    document.querySelector(selector)!.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }));
  expect(menu("p")).toBe(false);
  expect(menu("b")).toBe(true);
  expect(menu("textarea")).toBe(true);
  document.getSelection()!.selectAllChildren(document.querySelector("p")!);
  expect(menu("p")).toBe(true);
});
