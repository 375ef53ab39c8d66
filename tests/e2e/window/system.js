// The window and the desktop: links, the clipboard, the position on the screen, and a second window of the same
// project.

import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TIMEOUT, journey } from "../sandbox.js";
import { Desktop, noWindow } from "./app.js";
import { KEYS } from "./driver.js";
import { atPrompt, card, chatText, clipboardText, composer, sendPrompt, startWork, terminalPosition, waitForTerminal } from "./actions.js";

const options = { needs: ["bd", "claude"], place: noWindow };
const description = "[a page](https://example.com/a?b=1), [a letter](mailto:me@example.com), <https://example.org/plain>";

journey("the window opens links in the system's browser once, and can copy and paste", options, async (sandbox) => {
  const id = await sandbox.bead("Read about it", "--description", description);
  const opened = openedAddresses(sandbox);
  const app = await Desktop.open(sandbox);

  // A click on an ID copies it.
  await card(app, id).role("button", id).click();
  await app.role("status").text(`Copied ${id}`).waitVisible();

  // Links in a bead, the chat and the terminal.
  await card(app, id).role("button", "Read about it").click();
  for (const link of ["a page", "a letter", "https://example.org/plain"]) await app.role("dialog").role("link", link).click();
  await opened("https://example.com/a?b=1", "mailto:me@example.com", "https://example.org/plain");
  await app.driver.keys(KEYS.Escape);
  await app.role("dialog").waitGone();

  await startWork(app, id, "[[say:It stands at https://example.net/told for all.]]");
  await app.role("log", "Conversation").role("link", "https://example.net/told").click();
  await opened("https://example.net/told");
  await atPrompt(app);
  assert.equal(await clipboardText(app), id);

  const lines = await waitForTerminal(app, "It stands at https://example.net/told");
  await app.role("tab", "Terminal").click();
  const position = await terminalPosition(app, lines, "https://example.net/told");
  await app.driver.drag(KEYS.Control, position);
  await opened("https://example.net/told");

  // A text that is cut from the composer is pasted into the terminal and sent to claude.
  await app.role("tab", "Chat").click();
  await composer(app).fill("äöü and back");
  await app.driver.keys(KEYS.Control, "a");
  await app.driver.keys(KEYS.Control, "x");
  assert.equal(await composer(app).property("value"), "");
  await app.role("tab", "Terminal").click();
  await app.css("[data-terminal] .xterm-screen").click();
  await app.driver.keys(KEYS.Control, KEYS.Shift, "v");
  await waitForTerminal(app, "äöü and back");
  await app.role("tab", "Terminal").click();
  await app.css("[data-terminal] .xterm-screen").click();
  await app.driver.keys(KEYS.Enter);
  await app.role("tab", "Chat").click();
  await chatText(app, "Reply to: äöü and back").waitVisible();
  await opened();
});

journey("the window keeps its position and screen, and a second window shows the same", options, async (sandbox) => {
  const id = await sandbox.bead("Stay where you are");
  const file = join(sandbox.project, "twice.txt");
  let app = await Desktop.open(sandbox);
  const rect = { x: 150, y: 90, width: 1100, height: 720 };
  await app.driver.windowRect(rect);
  await startWork(app, id, "[[say:I stay.]]");
  await chatText(app, "I stay.").waitVisible();
  await atPrompt(app);
  // The prompt contains these words as well, so the mark of an answer is included.
  const before = await waitForTerminal(app, "● I stay.");

  app = await app.terminateAndReopen();
  assert.deepEqual(await app.driver.windowRect(), rect);
  assert.deepEqual(sinceThePrompt(await waitForTerminal(app, "● I stay.")), sinceThePrompt(before));

  // A second start of the program opens a second window with the same content.
  const other = await Desktop.open(sandbox);
  await chatText(other, "I stay.").waitVisible();
  await app.role("tab", "Chat").click();
  await sendPrompt(app, `[[write:${file}:twice]]`);
  const ask = (at) => at.role("region", "Claude wants to write a file");
  await ask(app).waitVisible();
  await ask(other).role("button", /^Allow once/).click();
  await ask(app).waitGone();
  for (const at of [app, other]) await chatText(at, "Done: the tools ran.").waitVisible();
  assert.equal(readFileSync(file, "utf8").trim(), "twice");
});

/** Replaces the user's browser. The returned function waits until exactly these addresses were opened since its
 * last call. */
function openedAddresses(sandbox) {
  const file = join(sandbox.base, "opened");
  const program = join(sandbox.base, "bin", "xdg-open");
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${file}'\n`);
  chmodSync(program, 0o755);
  let seen = 0;
  return async (...expected) => {
    const unseen = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").slice(seen) : []);
    for (const until = Date.now() + TIMEOUT; unseen().length < expected.length && Date.now() < until; ) {
      await new Promise((next) => setTimeout(next, 100));
    }
    assert.deepEqual(unseen(), expected);
    seen += expected.length;
  };
}

/** The terminal's lines from the opening prompt to the reply. Claude's header moves, and the lines below the
 * reply change. */
function sinceThePrompt(lines) {
  const first = lines.findIndex((line) => line.includes("Work on the bead"));
  return lines.slice(first, lines.findLastIndex((line) => line.includes("● I stay.")) + 1);
}
