// User actions and page elements of the window, named as in the program.

import assert from "node:assert/strict";
import { TIMEOUT } from "../sandbox.js";
import { KEYS } from "./driver.js";

export const card = (at, id) => at.role("article", new RegExp(`^${id}, `));
export const column = (at, name) => at.role("region", new RegExp(`^${name}, \\d+$`));
export const panel = (at) => at.role("region", "Session");
export const chat = (at) => at.role("tabpanel", "Chat");
export const chatText = (at, text) => at.role("log", "Conversation").text(text);
export const composer = (at) => at.role("textbox", /^Message to /);

/** Waits until claude is at its prompt. */
export const atPrompt = (at) => panel(at).role("button", /^Send/).waitVisible();

/** Starts a session from a ready bead's card, with an objective for claude. */
export async function startWork(at, id, objective) {
  await card(at, id).role("button", /^Start work/i).click();
  await at.role("dialog").role("textbox", "Objective").fill(objective);
  await at.role("dialog").role("button", /^Start Work/).click();
  await at.role("dialog").waitGone();
}

/** Sends a message to claude. */
export async function sendPrompt(at, text) {
  await composer(at).fill(text);
  await at.driver.keys(KEYS.Enter);
}

/** The text of the whole conversation in one line. */
export async function conversation(at) {
  const text = await at.role("log", "Conversation").property("innerText");
  return text.replace(/\s+/g, " ");
}

/** The text on the clipboard, read by pasting it into the composer. */
export async function clipboardText(at) {
  await at.role("tab", "Chat").click();
  await composer(at).click();
  await at.driver.keys(KEYS.Control, "a");
  await at.driver.keys(KEYS.Control, "v");
  const text = await composer(at).property("value");
  await at.driver.keys(KEYS.Control, "a");
  await at.driver.keys(KEYS.Backspace);
  return text;
}

/** The lines of the terminal. They are read by selecting and copying, because the terminal is drawn on a canvas. */
async function terminalLines(at) {
  await at.role("tab", "Terminal").click();
  const { left, top, right, bottom } = await terminalRect(at);
  await at.driver.drag(KEYS.Shift, [left + 1, top + 1], [left + 40, top + 40], [right - 2, bottom - 2]);
  await at.driver.keys(KEYS.Control, KEYS.Shift, "c");
  return (await clipboardText(at)).split("\n").map((line) => line.trimEnd());
}

/** Waits until a line of the terminal contains a text and claude's prompt is drawn; returns all lines. */
export async function waitForTerminal(at, text) {
  for (const until = Date.now() + TIMEOUT; ; await new Promise((next) => setTimeout(next, 250))) {
    const lines = await terminalLines(at);
    if (lines.some((line) => line.includes(text)) && lines.some((line) => line.startsWith("───"))) return lines;
    assert.ok(Date.now() < until, `the terminal does not show ${text}:\n${lines.join("\n")}`);
  }
}

/** The position of the middle of a text in the terminal, which has these lines. Claude's horizontal rules are as
 * wide as the terminal. */
export async function terminalPosition(at, lines, text) {
  const { left, top, right, bottom } = await terminalRect(at);
  const columns = Math.max(...lines.map((line) => /^─*/.exec(line)[0].length));
  const row = lines.findLastIndex((line) => line.includes(text));
  const column = lines[row].indexOf(text) + text.length / 2;
  return [left + (column * (right - left)) / columns, top + (row + 0.5) * lineHeight(bottom - top)];
}

/** The height of a line: the terminal has as many lines of at least 18 pixels as fit. */
const lineHeight = (height) => height / Math.floor(height / 18);

/** The terminal's rectangle, once its content is up to date. */
async function terminalRect(at) {
  const screen = await at.css("[data-terminal][aria-busy=false] .xterm-screen").waitVisible();
  return at.driver.run((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    // The part outside the window is ignored, because the terminal may not be fitted yet.
    return { left, top, right: Math.min(right, innerWidth), bottom: Math.min(bottom, innerHeight) };
  }, screen);
}
