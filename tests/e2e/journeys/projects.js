// Journeys: several projects at once, one of them without beads, and the needs in each; a problem report.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey } from "../sandbox.js";
import { card, chat, column, newSession, screen, tab, toast } from "../actions.js";

const switcher = (page, name) => page.getByRole("navigation", { name: "Project" }).getByRole("button", { name, exact: true });

const needs = ["bd", "claude"];

journey("a folder without beads is opened and set up while another project is open", { needs }, async (sandbox) => {
  const bead = await sandbox.bead("Of the first project");
  const other = join(sandbox.base, "w", "other");
  mkdirSync(other);
  writeFileSync(join(other, "README.md"), "# other\n");
  await sandbox.git(other, "init", "-q", "-b", "main");
  await sandbox.git(other, "add", ".");
  await sandbox.git(other, "commit", "-qm", "start");
  await sandbox.serve();
  const page = await sandbox.open();
  await card(page, bead).waitFor();

  // A missing folder is reported, and the typed path stays in the field.
  await switcher(page, "demo").click();
  await page.getByRole("menuitem", { name: "Open another folder…" }).click();
  const dialog = page.getByRole("dialog", { name: "Open a folder" });
  const folder = dialog.getByLabel("Folder", { exact: true });
  await folder.fill(`${other}-not-there`);
  await dialog.getByRole("button", { name: "Open", exact: true }).click();
  await dialog.getByText(/other-not-there/).waitFor();
  await folder.fill(other);
  await folder.press("Enter");
  await dialog.waitFor({ state: "detached" });

  // The project has no beads: the page says what to do, and has a button for it.
  await switcher(page, "other").waitFor();
  await page.getByRole("heading", { name: "No beads in this folder" }).waitFor();
  await card(page, bead).waitFor({ state: "detached" });
  for (const [view, begin] of [
    ["History", "Session history is"],
    ["Insight", "Insight is"],
    ["Memory", "Memories are"],
    ["Fleet", "Agents take"],
    ["Board", "Beads are"],
  ]) {
    await page.getByRole("tab", { name: view }).click();
    await page.getByText(new RegExp(`^${begin}.*Set the folder up`)).waitFor();
    assert.equal(await page.getByText(/beads-console|os error|--\w/).count(), 0, `${view} shows an error of the command line`);
    assert.equal(await page.getByRole("alert").count(), 0, `${view} shows an error`);
  }
  await page.getByRole("button", { name: "New session" }).first().click();
  const refused = page.getByRole("dialog", { name: "New session" });
  await refused.getByText(/^Sessions are stored/).waitFor();
  await page.keyboard.press("Control+Enter");
  assert.equal(await refused.getByText(/beads-console|no beads in/).count(), 0);
  await page.keyboard.press("Escape");
  await refused.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Set up project…" }).click();
  const init = page.getByRole("dialog", { name: "Set up other" });
  await init.getByText("The repository is ready.").waitFor();
  await init.getByLabel("ID prefix").fill("not good");
  await init.getByText("Use only letters, digits, - and _.").waitFor();
  assert.equal(await init.getByRole("button", { name: "Set up" }).isDisabled(), true);
  await init.getByLabel("ID prefix").fill("OT");
  await init.getByRole("button", { name: "Set up" }).click();
  await toast(page, "other is set up").waitFor();
  assert.ok(existsSync(join(other, ".beads")));

  // The project gets its first bead, and a session that needs the user.
  await page.getByRole("heading", { name: "No beads yet" }).waitFor();
  await page.getByRole("main").getByRole("button", { name: /^New bead/ }).last().click();
  const create = page.getByRole("dialog", { name: "New bead" });
  await create.getByLabel("Title").fill("Of the second project");
  await create.getByLabel("Title").press("Enter");
  await column(page, "Ready").getByText("Of the second project").waitFor();
  await newSession(page, { title: "Asks for something", objective: `[[write:${join(other, "asked.txt")}:yes]]` });
  // The user has not trusted this folder yet. Claude asks in its terminal, the chat says so, and the terminal gets
  // the focus.
  await chat(page).getByText("Claude asks a question in the terminal before it starts.").waitFor();
  await chat(page).getByRole("button", { name: "Open the terminal" }).click();
  await screen(page).getByText(/trust this folder/).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await screen(page).getByText(/❯ Yes/).waitFor();
  await page.keyboard.press("Enter");
  await tab(page, "Chat").click();
  await page.getByRole("region", { name: "claude wants to write a file" }).waitFor();

  // The first project is unchanged, and the project menu shows that the other one needs the user.
  await switcher(page, "other").click();
  await page.getByRole("menuitem", { name: /^demo/ }).click();
  await card(page, bead).waitFor();
  await page.getByText("No sessions yet.").waitFor();
  await switcher(page, "demo").click();
  await page.getByRole("menuitem", { name: /^other 1 needs you/ }).waitFor();
  await page.keyboard.press("Escape");

  // A change by another program appears only in its own project.
  const late = await sandbox.bead("Made by bd");
  await card(page, late).waitFor();
  await switcher(page, "demo").click();
  await page.getByRole("menuitem", { name: /^other/ }).click();
  await column(page, "Ready").getByText("Of the second project").waitFor();
  await card(page, late).waitFor({ state: "detached" });

  // After a reload, the same project is shown, and a closed project is not in the list.
  await page.reload();
  await switcher(page, "other").click();
  await page.getByRole("menuitem", { name: "Close other" }).click();
  await switcher(page, "demo").click();
  await page.getByRole("menuitem", { name: "Open another folder…" }).waitFor();
  assert.equal(await page.getByRole("menuitem", { name: /^other/ }).count(), 0);
  assert.deepEqual(page.errors, []);
});

journey("a problem report is viewed and saved", { long: true }, async (sandbox) => {
  const bead = await sandbox.bead("A title that stays here");
  await sandbox.serve();
  const page = await sandbox.open();
  await card(page, bead).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("report a problem");
  await page.keyboard.press("Enter");
  const report = page.getByRole("dialog", { name: "Report a problem" });
  await report.getByRole("button", { name: /^logs\/server-/ }).click();
  await report.getByText(/server started/).waitFor();
  const download = page.waitForEvent("download");
  await report.getByRole("button", { name: "Save report" }).click();
  const saved = await download;
  assert.match(saved.suggestedFilename(), /^beads-console-report-.*\.zip$/);
  assert.equal(readFileSync(await saved.path()).subarray(0, 2).toString(), "PK");
  await report.getByText(/^Saved as/).waitFor();
  assert.equal(await report.getByText("A title that stays here").count(), 0);
  assert.deepEqual(page.errors, []);
});
