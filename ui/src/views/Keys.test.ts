import { fireEvent } from "@testing-library/svelte";
import { afterEach, expect, it, vi } from "vitest";
import { mounted, world } from "../testing/mounted";
import Keys from "./Keys.svelte";

afterEach(() => vi.restoreAllMocks());

/** The number of commands that a key runs while a terminal has the focus. */
async function ranInTerminal(platform: string, key: KeyboardEventInit): Promise<number> {
  vi.spyOn(navigator, "platform", "get").mockReturnValue(platform);
  const at = await world();
  const run = vi.spyOn(at.app, "run").mockReturnValue(true);
  const shown = mounted(at, Keys, {});
  const terminal = document.createElement("div");
  terminal.setAttribute("data-terminal", "");
  shown.container.append(terminal);
  await fireEvent.keyDown(terminal, key);
  shown.unmount();
  return run.mock.calls.length;
}

it("leaves Ctrl to the terminal", async () => {
  expect(await ranInTerminal("Linux x86_64", { key: "k", code: "KeyK", ctrlKey: true })).toBe(0);
  expect(await ranInTerminal("MacIntel", { key: "k", code: "KeyK", ctrlKey: true })).toBe(0);
});

it("runs shortcuts with ⌘ while a terminal on a Mac has the focus", async () => {
  expect(await ranInTerminal("MacIntel", { key: "k", code: "KeyK", metaKey: true })).toBe(1);
});
