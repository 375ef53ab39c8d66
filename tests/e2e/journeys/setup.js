// Journey: a dialog sets up a folder without beads, repository or commit; the sample project opens on
// request.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey } from "../sandbox.js";
import { card, column, toast } from "../actions.js";

const switcher = (page, name) => page.getByRole("navigation", { name: "Project" }).getByRole("button", { name, exact: true });

journey("a folder without anything is set up in one dialog, and the sample project opens", {}, async (sandbox) => {
  const first = await sandbox.bead("Of the first project");
  const bare = join(sandbox.base, "w", "bare");
  mkdirSync(bare);
  writeFileSync(join(bare, "secret.env"), "KEY=1\n");
  await sandbox.serve();
  const page = await sandbox.open();
  await card(page, first).waitFor();

  await switcher(page, "demo").click();
  await page.getByRole("menuitem", { name: "Open another folder…" }).click();
  await page.getByRole("dialog", { name: "Open a folder" }).getByLabel("Folder", { exact: true }).fill(bare);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "No beads in this folder" }).waitFor();
  await page.getByRole("button", { name: "Set up project…" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up bare" });
  await dialog.getByRole("radio", { name: /^Built-in/ }).waitFor();
  await dialog.getByText(/^The bd program with its own database/).waitFor();
  await dialog.getByLabel("ID prefix").fill("BA");
  await dialog.getByRole("button", { name: "Set up" }).click();
  await toast(page, "bare is set up").waitFor();
  await page.getByRole("heading", { name: "No beads yet" }).waitFor();
  assert.equal(await page.getByText("This folder has no git commits.").count(), 0);
  // Only the beads are committed, unless the user chooses all files.
  const committed = await sandbox.git(bare, "ls-tree", "-r", "--name-only", "HEAD");
  assert.match(committed, /\.beads\/issues\.jsonl/);
  assert.doesNotMatch(committed, /secret/);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("sample project");
  await page.getByRole("option", { name: /^Open the sample project/ }).click();
  await switcher(page, "gatehouse").waitFor();
  await column(page, "Ready").getByText("Implement login validation").waitFor();

  // The palette finds beads of the other open projects, with the project's name.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("of the first");
  await page.getByRole("option", { name: /Of the first project.*demo/ }).click();
  await page.getByRole("dialog", { name: `Bead ${first}` }).waitFor();
  assert.ok(existsSync(join(bare, ".git")));
  assert.deepEqual(page.errors, []);
});
