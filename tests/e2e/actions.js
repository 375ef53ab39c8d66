// The user's actions and the page's elements, with the names that the program uses.

import { TIMEOUT } from "./sandbox.js";

/** A column of the board. */
export const column = (page, name) => page.getByRole("region", { name: new RegExp(`^${name}, [\\d,]+$`) });

/** A card of the board, in any column. */
export const card = (page, id) => page.getByRole("article", { name: new RegExp(`^${id}, `) });

export const panel = (page) => page.getByRole("region", { name: "Session", exact: true });
export const chat = (page) => page.getByRole("tabpanel", { name: "Chat" });
export const terminal = (page) => page.getByRole("tabpanel", { name: "Terminal" });
/** A text in the conversation, from the user or from claude. */
export const chatText = (page, text) => page.getByRole("log", { name: "Conversation" }).getByText(text, { exact: true });
export const composer = (page) => page.getByRole("textbox", { name: /^Message to / });
export const toast = (page, text) => page.getByRole("status").getByText(text);
export const tab = (page, name) => page.getByRole("tab", { name, exact: true });

/** The rows of the terminal as text. */
export const screen = (page) => page.locator("[data-terminal] .xterm-rows");

/** Waits until the terminal shows more than one colour. It must wait, because claude redraws its frame row by row. */
export const coloured = (page) =>
  page.waitForFunction(() => {
    const spans = [...document.querySelectorAll("[data-terminal] .xterm-rows span")];
    return new Set(spans.map((span) => getComputedStyle(span).color)).size > 1;
  });

/** Starts a session from a ready bead's card, and waits for its panel. */
export async function startWork(page, id, { objective, branch } = {}) {
  await card(page, id).getByRole("button", { name: /^Start work/i }).first().click();
  const dialog = page.getByRole("dialog");
  if (branch !== undefined) await dialog.getByLabel("Branch").fill(branch);
  if (objective !== undefined) await dialog.getByLabel("Objective").fill(objective);
  await dialog.getByRole("button", { name: "Start Work" }).click();
  await dialog.waitFor({ state: "detached" });
  await panel(page).waitFor();
}

/** Starts a session without a bead, and waits for its panel. */
export async function newSession(page, { title, objective } = {}) {
  await page.getByRole("button", { name: "New session" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New session" });
  if (title !== undefined) await dialog.getByLabel("Title").fill(title);
  if (objective !== undefined) await dialog.getByLabel("Objective").fill(objective);
  await dialog.getByRole("button", { name: /^Start/ }).click();
  await dialog.waitFor({ state: "detached" });
  await panel(page).waitFor();
}

/** Waits until claude is at its prompt: then the composer sends messages, instead of queueing them. */
export async function atPrompt(page) {
  const send = panel(page).getByRole("button", { name: /^Send(?! now)/ });
  await send.waitFor({ timeout: TIMEOUT });
}

/** Submits a message to claude; during a turn, the program queues it. */
export async function sendPrompt(page, text) {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

/** Runs a palette command, found by some of its words. */
export async function command(page, words) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill(words);
  await page.getByRole("option", { name: new RegExp(words, "i") }).first().click();
}

/** Confirms the end of a session when its dialog has checked commits and files. */
export async function confirmEnd(dialog) {
  await dialog.getByText("Checking commits and files…").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "End session" }).click();
}
