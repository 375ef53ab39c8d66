// What a person does and looks at, in the program's own words.

import { PATIENCE } from "./sandbox.js";

/** A column of the board. */
export const column = (page, name) => page.getByRole("region", { name: new RegExp(`^${name}, [\\d,]+$`) });

/** A card of the board, wherever it is. */
export const card = (page, id) => page.getByRole("article", { name: new RegExp(`^${id}, `) });

export const panel = (page) => page.getByRole("region", { name: "Session", exact: true });
export const chat = (page) => page.getByRole("tabpanel", { name: "Chat" });
export const terminal = (page) => page.getByRole("tabpanel", { name: "Terminal" });
/** What was said in the conversation, by either. */
export const said = (page, text) => page.getByRole("log", { name: "Conversation" }).getByText(text, { exact: true });
export const composer = (page) => page.getByRole("textbox", { name: /^Message to / });
export const toast = (page, text) => page.getByRole("status").getByText(text);
export const tab = (page, name) => page.getByRole("tab", { name, exact: true });

/** The rows of the terminal as text. */
export const screen = (page) => page.locator("[data-terminal] .xterm-rows");

/** The terminal has more than one colour. claude draws its frame anew row by row: a single look may fall between two. */
export const coloured = (page) =>
  page.waitForFunction(() => {
    const spans = [...document.querySelectorAll("[data-terminal] .xterm-rows span")];
    return new Set(spans.map((span) => getComputedStyle(span).color)).size > 1;
  });

/** Start Work on a ready card, with what claude is to do. */
export async function startWork(page, id, { objective, branch } = {}) {
  await card(page, id).getByRole("button", { name: /^Start work/i }).first().click();
  const dialog = page.getByRole("dialog");
  if (branch !== undefined) await dialog.getByLabel("Branch").fill(branch);
  if (objective !== undefined) await dialog.getByLabel("Objective").fill(objective);
  await dialog.getByRole("button", { name: "Start Work" }).click();
  await dialog.waitFor({ state: "detached" });
  await panel(page).waitFor();
}

/** A session without a bead. */
export async function newSession(page, { title, objective } = {}) {
  await page.getByRole("button", { name: "New session" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New session" });
  if (title !== undefined) await dialog.getByLabel("Title").fill(title);
  if (objective !== undefined) await dialog.getByLabel("Objective").fill(objective);
  await dialog.getByRole("button", { name: /^Start/ }).click();
  await dialog.waitFor({ state: "detached" });
  await panel(page).waitFor();
}

/** Waits until claude is at its prompt: the composer sends instead of holding. */
export async function atPrompt(page) {
  const send = panel(page).getByRole("button", { name: /^Send/ });
  await send.waitFor({ timeout: PATIENCE });
}

/** Writes to claude and sends, or holds. */
export async function say(page, text) {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

/** A command of the palette, found by some words of it. */
export async function command(page, words) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill(words);
  await page.getByRole("option", { name: new RegExp(words, "i") }).first().click();
}
