// Journey: the list of sessions with its filter and menus, and the history with its search and export.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey } from "../sandbox.js";
import { atPrompt, chat, chatText, confirmEnd, newSession, panel, startWork, tab, toast } from "../actions.js";

const list = (page) => page.getByRole("region", { name: "Sessions" });
const row = (page, state, title) => list(page).getByRole("button", { name: new RegExp(`^${state} ${title}`) });
const results = (page) => page.getByRole("main").getByRole("button", { name: /\d messages?/ });

async function fromMenu(page, title, entry) {
  await list(page).getByRole("button", { name: `More actions for ${title}` }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

async function filter(page, name) {
  await list(page).getByRole("button", { name: "Filter sessions" }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

async function endSession(page, title) {
  await fromMenu(page, title, "End…");
  await confirmEnd(page.getByRole("dialog", { name: `End ${title}?` }));
  await row(page, "Closed", title).waitFor();
}

journey("sessions are filtered, found by title, bead, agent and date, exported, deleted and restored", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("Paint the fence");
  const { project } = sandbox;
  writeFileSync(join(project, "tool.txt"), "a line in a file\n");
  await sandbox.git(project, "add", "tool.txt");
  await sandbox.git(project, "commit", "-qm", "a file");
  await sandbox.serve();
  const page = await sandbox.open();
  await newSession(page, { title: "Count the birds", objective: "[[say:Forty-two **birds**.]]" });
  await chat(page).getByText("birds", { exact: true }).last().waitFor();
  await atPrompt(page);

  // The list: running, paused and closed sessions, each with its actions.
  await fromMenu(page, "Count the birds", "Pause");
  await row(page, "Paused", "Count the birds").waitFor();
  await filter(page, "Active");
  await list(page).getByText("No active sessions.").waitFor();
  await filter(page, "Closed");
  await list(page).getByText("No closed sessions.").waitFor();
  await filter(page, "Paused");
  await row(page, "Paused", "Count the birds").waitFor();
  await fromMenu(page, "Count the birds", "Resume");
  await list(page).getByText("No paused sessions.").waitFor();
  await list(page).getByRole("button", { name: "paused ×" }).click();
  await atPrompt(page);
  await row(page, "Your turn", "Count the birds").getByText(/^\d+m$/).waitFor();
  await endSession(page, "Count the birds");

  await startWork(page, id, { objective: `[[read:${join(project, "tool.txt")}]]` });
  await chatText(page, "Done: the tools ran.").waitFor();
  await atPrompt(page);
  await endSession(page, "Paint the fence");

  // Makes one session an old session of an agent, by editing its record.
  await sandbox.stopServer();
  const old = sandbox.sessions().find((session) => session.title === "Count the birds");
  const { folder, ...record } = old;
  const aged = JSON.parse(JSON.stringify(record).replaceAll(/"20\d\d-\d\d-\d\dT/g, '"2025-03-03T'));
  writeFileSync(join(folder, "meta.json"), JSON.stringify({ ...aged, agent_id: "counter" }, null, 2));
  await sandbox.serve("--port", String(sandbox.port));
  const again = await sandbox.open(page.context());
  await panel(again).getByRole("heading", { name: "Paint the fence" }).waitFor();
  await again.keyboard.press("Alt+w");
  await panel(again).waitFor({ state: "detached" });
  await tab(again, "History").click();
  await again.getByText("2 sessions", { exact: true }).waitFor();
  const search = again.getByRole("textbox", { name: "Search sessions" });
  const finds = async (text, title) => {
    await search.fill(text);
    await again.getByText("1 session", { exact: true }).waitFor();
    await results(again).filter({ hasText: title }).waitFor();
    await results(again).filter({ hasNotText: title }).waitFor({ state: "detached" });
  };
  await finds("fence", "Paint the fence");
  await finds(id.toLowerCase(), "Paint the fence");
  await finds("counter", "Count the birds");
  await finds("2025-03-03", "Count the birds");
  await finds("march", "Count the birds");
  await finds("today", "Paint the fence");
  await search.fill("");
  const chip = async (name, value) => {
    await again.getByRole("button", { name: new RegExp(`^${name}: `) }).click();
    await again.getByRole("menuitem", { name: value }).click();
    await again.getByText("1 session", { exact: true }).waitFor();
    await again.getByRole("button", { name: `Remove ${name} filter` }).click();
    await again.getByText("2 sessions", { exact: true }).waitFor();
  };
  await chip("Date", "Last 7 days");
  await chip("Agent", "counter");
  await chip("Bead", new RegExp(`^${id}`));

  // A closed session shows its complete conversation, which is then exported.
  await results(again).filter({ hasText: "Paint the fence" }).click();
  const transcript = again.getByRole("region", { name: "Transcript" });
  await transcript.getByText("Read-only").waitFor();
  await transcript.getByRole("log").getByText("Done: the tools ran.").waitFor();
  await transcript.getByRole("button", { name: /^Read .*tool\.txt/ }).click();
  await transcript.getByText(/a line in a file/).waitFor();
  assert.equal(await again.getByRole("textbox", { name: /^Message to/ }).count(), 0);
  const text = await downloaded(again, () => transcript.getByRole("button", { name: "Export Markdown" }).click());
  assert.match(text, /^---\ntitle: "Paint the fence"\n/);
  assert.match(text, /\n# Paint the fence\n/);
  assert.match(text, new RegExp(id));
  assert.match(text, /a line in a file/);
  assert.match(text, /Done: the tools ran\./);
  // Simple Markdown viewers can show the document: all fences are closed, and there are no escape sequences
  // and no layout HTML.
  assert.equal(text.match(/^ *(`{3,}|~{3,})/gm).length % 2, 0);
  assert.doesNotMatch(text, /<\/?(div|span|br|script)|\u001B/);

  const json = await downloaded(again, () => fromMenu(again, "Paint the fence", "Export as JSON"));
  assert.equal(JSON.parse(json).bead_id, id);
  assert.equal(await downloaded(again, () => fromMenu(again, "Paint the fence", "Export as Markdown")), text);

  // A deleted session is moved to the trash, from which it is restored.
  await row(again, "Closed", "Paint the fence").waitFor();
  await fromMenu(again, "Paint the fence", "Delete");
  await toast(again, "Paint the fence deleted").waitFor();
  await row(again, "Closed", "Paint the fence").waitFor({ state: "detached" });
  const trash = join(project, ".beads", "sessions", ".trash");
  assert.equal(readdirSync(trash).length, 1);
  await again.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await row(again, "Closed", "Paint the fence").waitFor();
  assert.equal(existsSync(trash) ? readdirSync(trash).length : 0, 0);
  assert.deepEqual(again.errors, []);
});

async function downloaded(page, press) {
  const download = page.waitForEvent("download");
  await press();
  return readFileSync(await (await download).path(), "utf8");
}
