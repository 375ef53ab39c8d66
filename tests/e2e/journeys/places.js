// A session on another machine over ssh: the machine is added and tested, its work is shown like local work, and a lost
// connection loses nothing.

import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey, noBrowser, waitUntil } from "../sandbox.js";
import { atPrompt, card, chat, chatText, confirmEnd, panel, screen, sendPrompt, tab } from "../actions.js";
import { SshServer, noSsh } from "../ssh-server.js";

const needs = ["bd", "claude"];
const dialog = (page) => page.getByRole("dialog");
const row = (page, name) => page.getByRole("table", { name: "Places" }).getByRole("row", { name: new RegExp(name) });

const place = () => noBrowser() ?? noSsh();

journey("a session runs on another machine and survives a lost connection", { needs, place }, async (sandbox) => {
  const far = await SshServer.start(sandbox);
  const bead = await sandbox.bead("Write a greeting");
  await sandbox.serve();
  const page = await sandbox.open();
  await tab(page, "Fleet").click();
  await page.getByText("Places", { exact: true }).click();
  await page.getByText("No other places").waitFor();

  // A machine that cannot be reached is reported. Once it can be reached, its test passes.
  await page.getByRole("button", { name: "Add place…" }).first().click();
  await dialog(page).getByRole("textbox", { name: "Machine" }).fill("far");
  await dialog(page).getByLabel("Beads Console there").fill(far.program);
  await far.disconnect();
  await dialog(page).getByRole("button", { name: "Add and test" }).click();
  await row(page, "far").getByText("Cannot be reached", { exact: true }).waitFor();
  await far.connect();
  await page.getByRole("button", { name: "Test all" }).click();
  await row(page, "far").getByText(/^Tested at/).waitFor();

  // The dialog offers the machine. On that machine, claude asks whether to trust the new folder.
  await tab(page, "Board").click();
  await card(page, bead).getByRole("button", { name: /^Start work/i }).first().click();
  await dialog(page).getByRole("button", { name: /^Runs on: / }).click();
  await page.getByRole("menuitem", { name: /^far/ }).click();
  await dialog(page).getByLabel("Objective").fill("Greet everyone [[say:Hello from far.]]");
  await dialog(page).getByRole("button", { name: "Start Work" }).click();
  await dialog(page).waitFor({ state: "detached" });
  await chat(page).getByRole("button", { name: "Open the terminal" }).click();
  await screen(page).getByText(/trust this folder/).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await screen(page).getByText(/❯ Yes/).waitFor();
  await page.keyboard.press("Enter");
  await tab(page, "Chat").click();
  await chatText(page, "Hello from far.").waitFor();
  await atPrompt(page);

  // The session and the list of places show that the connection is lost, and that it is back.
  await far.disconnect();
  await panel(page).getByText(/^Unreachable since/).first().waitFor();
  await tab(page, "Fleet").click();
  await row(page, "far").getByText(/^Unreachable since/).waitFor();
  await far.connect();
  await row(page, "far").getByText(/^Unreachable since/).waitFor({ state: "detached" });
  await row(page, "far").getByText(/^Tested at/).waitFor();

  // A file that the agent commits on that machine is in the changes on this one.
  await tab(page, "Board").click();
  await sendPrompt(page, "Commit it [[bash:echo hello > greeting.txt && git add greeting.txt && git commit -qm Greeting]]");
  await panel(page).getByRole("button", { name: /^Allow once/ }).first().click();
  const [session] = sandbox.sessions();
  // The file appears before the branch moves.
  await waitUntil(async () => (await sandbox.git(session.cwd, "log", "-1", "--format=%s")) === "Greeting");
  assert.ok(existsSync(join(session.cwd, "greeting.txt")));
  await tab(page, "Changes").click();
  await page.getByRole("tabpanel", { name: "Changes" }).getByText("greeting.txt").first().waitFor();

  // An uncommitted file exists only at the place. The user reverts it, undoes the revert and commits it.
  const changes = page.getByRole("tabpanel", { name: "Changes" });
  await tab(page, "Chat").click();
  await atPrompt(page);
  await sendPrompt(page, "Draft it [[bash:echo bye > farewell.txt]]");
  await panel(page).getByRole("button", { name: /^Allow once/ }).first().click();
  await atPrompt(page);
  await tab(page, "Changes").click();
  const farewell = changes.getByRole("region", { name: "farewell.txt", exact: true });
  await changes.getByText("1 uncommitted file").waitFor();
  const noted = join(sandbox.base, "noted");
  writeFileSync(join(sandbox.base, "bin", "my-editor"), `#!/bin/sh\nprintf '%s' "$1" > '${noted}'\n`, { mode: 0o755 });
  await sandbox.console("settings", "editor", "my-editor");
  await farewell.getByRole("button", { name: "Open in editor" }).click();
  await page.getByText("Opened a read-only copy of farewell.txt").waitFor();
  await waitUntil(() => existsSync(noted) && readFileSync(noted, "utf8") !== "");
  const copy = readFileSync(noted, "utf8");
  assert.equal(readFileSync(copy, "utf8"), "bye\n");
  assert.equal(statSync(copy).mode & 0o222, 0);
  await farewell.getByRole("button", { name: "Revert file" }).click();
  await farewell.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo", exact: true }).first().click();
  await farewell.waitFor();
  await changes.getByRole("button", { name: "Commit…" }).click();
  await dialog(page).getByRole("textbox", { name: "Message" }).fill("Farewell");
  await dialog(page).getByRole("button", { name: /^Commit 1 file/ }).click();
  await waitUntil(async () => (await sandbox.git(session.cwd, "log", "-1", "--format=%s")) === "Farewell");
  await changes.getByText("1 uncommitted file").waitFor({ state: "detached" });

  // The user restores an earlier turn and undoes the restore.
  await panel(page).getByRole("radio", { name: "Turns" }).click();
  const turns = panel(page).getByRole("list", { name: "Turns" });
  await turns.getByRole("button", { name: /Draft it/ }).click();
  await turns.getByRole("button", { name: "Restore all…" }).click();
  await dialog(page).getByRole("button", { name: "Restore", exact: true }).click();
  await page.getByText("Restored farewell.txt").waitFor();
  await turns.getByText(/^Restored all files to turn/).waitFor();
  await turns.getByRole("button", { name: "Undo" }).first().click();
  await panel(page).getByRole("radio", { name: "Since the start" }).click();
  await farewell.waitFor();

  await tab(page, "Chat").click();
  await atPrompt(page);
  const isReply = ({ role, content }) => role === "assistant" && content.includes("Hello from far.");
  assert.equal(sandbox.messages().filter(isReply).length, 1);
  await panel(page).getByRole("button", { name: "End", exact: true }).click();
  await confirmEnd(dialog(page));
  await waitUntil(() => sandbox.sessions()[0].status === "closed");
  assert.deepEqual(page.errors, []);
});
