import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { createRawSnippet, tick } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import Dialog from "./Dialog.svelte";

const BODY = createRawSnippet(() => ({
  render: () => "<div><button>First</button><button>Last</button></div>",
}));

beforeEach(() => {
  // jsdom has no layout, so every element of the document gets a box and counts as visible.
  vi.spyOn(HTMLElement.prototype, "getClientRects").mockReturnValue([new DOMRect()] as unknown as DOMRectList);
  document.body.innerHTML = "<button>Before</button><button>Opener</button>";
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const focused = () => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute("aria-label");
const settled = () => new Promise((resolve) => setTimeout(resolve, 30));

async function opened(onclose = () => {}) {
  screen.getByText("Opener").focus();
  const dialog = render(Dialog, { title: "Close BC-112?", onclose, children: BODY });
  await vi.waitFor(() => expect(screen.getByRole("dialog").contains(document.activeElement)).toBe(true));
  return dialog;
}

it("is named by its title and takes the focus", async () => {
  await opened();
  expect(screen.getByRole("dialog", { name: "Close BC-112?" })).toBe(document.activeElement);
});

it("Tab stays inside in both directions", async () => {
  await opened();
  // In document order: the head's button, then the body's.
  screen.getByText("Last").focus();
  await fireEvent.keyDown(screen.getByText("Last"), { key: "Tab" });
  expect(focused()).toBe("Close");
  await fireEvent.keyDown(screen.getByRole("button", { name: "Close" }), { key: "Tab", shiftKey: true });
  expect(focused()).toBe("Last");
});

it("takes back focus that moves outside", async () => {
  await opened();
  screen.getByText("First").focus();
  screen.getByText("Before").focus();
  await settled();
  expect(screen.getByRole("dialog").contains(document.activeElement)).toBe(true);
});

it("returns focus to the opener, or to the previously focused element if the opener is gone", async () => {
  const first = await opened();
  first.unmount();
  await vi.waitFor(() => expect(focused()).toBe("Opener"));

  screen.getByText("Before").focus();
  const second = await opened();
  screen.getByText("Opener").remove();
  second.unmount();
  await vi.waitFor(() => expect(focused()).toBe("Before"));
});

it("keeps focus inside when the focused button is disabled", async () => {
  await opened();
  const button = screen.getByText<HTMLButtonElement>("First");
  button.focus();
  // jsdom keeps the focus of a disabled control; browsers drop it.
  button.blur();
  button.disabled = true;
  await settled();
  expect(screen.getByRole("dialog").contains(document.activeElement)).toBe(true);
});

it("keeps focus inside when the focused button is removed", async () => {
  await opened();
  screen.getByText("First").focus();
  screen.getByText("First").remove();
  await settled();
  expect(screen.getByRole("dialog").contains(document.activeElement)).toBe(true);
});

it("closes with Escape and with its button", async () => {
  const onclose = vi.fn();
  const first = await opened(onclose);
  await fireEvent.keyDown(screen.getByRole("dialog"), { key: "Escape" });
  await tick();
  expect(onclose).toHaveBeenCalledTimes(1);
  first.unmount();
  await opened(onclose);
  await fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(onclose).toHaveBeenCalledTimes(2);
});
