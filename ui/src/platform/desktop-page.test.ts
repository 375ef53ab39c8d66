import { expect, test, vi } from "vitest";
import { setUpDesktopPage } from "./desktop-page";

const invoke = vi.hoisted(() => vi.fn(() => Promise.resolve<string[]>([])));
vi.mock("@tauri-apps/api/core", () => ({ invoke }));

const unopened: string[] = [];
const opened: string[] = [];
setUpDesktopPage(
  (address) => unopened.push(address),
  (folder) => opened.push(folder),
);

test("opens folders that were opened with the program", async () => {
  invoke.mockResolvedValueOnce(["/w/shop", "/w/api"]);
  dispatchEvent(new CustomEvent("beads-console:opened"));
  await vi.waitFor(() => expect(opened).toEqual(["/w/shop", "/w/api"]));
  expect(invoke).toHaveBeenCalledWith("take_opened_folders");
  expect(invoke).toHaveBeenCalledTimes(2);
});

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
