// Journeys: a bead of the embedded store is edited in its sheet: its fields, concurrent changes, a moved
// folder, deletion and undo.

import assert from "node:assert/strict";
import { readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { journey, programs, waitUntil } from "../sandbox.js";
import { card, column, toast } from "../actions.js";
import { run } from "../environment.js";

/** Replaces the sandbox's tracker with the embedded store. */
async function embedded(sandbox) {
  rmSync(join(sandbox.project, ".beads"), { recursive: true });
  await run(join(programs, "beads-console"), ["--project", sandbox.project, "init", "--prefix", "own"], { env: sandbox.env });
}

/** Creates a bead in the embedded store, as another process, and returns its ID. */
async function bead(sandbox, title, ...options) {
  const made = JSON.parse(await sandbox.console("bead", "create", title, "--json", ...options));
  return (made.bead ?? made).id;
}

/** The bead as stored on disk. */
function stored(sandbox, id) {
  const lines = readFileSync(join(sandbox.project, ".beads", "issues.jsonl"), "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line)).findLast((one) => one.id === id);
}

const sheetOf = (page, id) => page.getByRole("dialog", { name: `Bead ${id}` });

/** Opens the sheet of a card. */
async function open(page, id, title) {
  await card(page, id).getByRole("button", { name: title }).first().click();
  const sheet = sheetOf(page, id);
  await sheet.getByRole("button", { name: /^Status: / }).waitFor();
  return sheet;
}

/** Chooses an entry of a property's menu. */
async function choose(page, sheet, name, choice) {
  await sheet.getByRole("button", { name: new RegExp(`^${name}: `) }).click();
  await page.getByRole("menuitem", { name: choice }).click();
}

journey("every field of a bead is edited in its sheet", { needs: [] }, async (sandbox) => {
  await embedded(sandbox);
  const epic = await bead(sandbox, "Login hardening", "--type", "epic");
  const other = await bead(sandbox, "Describe the session cookie", "--label", "security");
  const id = await bead(sandbox, "Move the cookies");
  await sandbox.serve();
  const page = await sandbox.open();
  const sheet = await open(page, id, "Move the cookies");
  const is = (field, value) => waitUntil(() => JSON.stringify(stored(sandbox, id)?.[field]) === JSON.stringify(value));

  await sheet.getByRole("heading", { level: 2 }).getByRole("button").click();
  await sheet.getByRole("textbox", { name: "Title" }).fill("Move the cookies to __Host-");
  await page.keyboard.press("Enter");
  await is("title", "Move the cookies to __Host-");
  await sheet.getByRole("heading", { name: "Move the cookies to __Host-" }).waitFor();

  // The long texts are written in Markdown, and one of their checkboxes is ticked.
  const texts = { Description: "description", Design: "design", "Acceptance criteria": "acceptance_criteria", Notes: "notes" };
  for (const [name, field] of Object.entries(texts)) {
    await sheet.getByRole("button", { name, exact: true }).click();
    await sheet.getByRole("textbox", { name, exact: true }).fill(`**${name}**\n\n- [ ] first\n- [ ] second`);
    await page.keyboard.press("Control+Enter");
    await is(field, `**${name}**\n\n- [ ] first\n- [ ] second`);
  }
  await sheet.getByRole("region", { name: "Notes" }).getByRole("checkbox", { name: "second" }).click();
  await is("notes", "**Notes**\n\n- [ ] first\n- [x] second");
  await sheet.getByRole("region", { name: "Notes" }).getByText("1 of 2 done").waitFor();

  await choose(page, sheet, "Priority", /^P0/);
  await is("priority", 0);
  await choose(page, sheet, "Type", "Bug");
  await is("issue_type", "bug");
  await choose(page, sheet, "Status", "In progress");
  await is("status", "in_progress");
  await choose(page, sheet, "Status", "Open");
  await is("status", "open");

  await sheet.getByRole("button", { name: /^Assignee: / }).click();
  await page.getByRole("combobox", { name: "Assignee" }).fill("Mara Klein");
  await page.keyboard.press("Enter");
  await is("assignee", "Mara Klein");

  await sheet.getByRole("button", { name: /^Estimate: / }).click();
  await page.getByRole("textbox", { name: "Estimate" }).fill("1h 30m");
  await page.keyboard.press("Enter");
  await is("estimated_minutes", 90);
  await sheet.getByRole("button", { name: "Estimate: 1 h 30 min" }).waitFor();

  await sheet.getByRole("button", { name: /^Reference: / }).click();
  await page.getByRole("textbox", { name: "External reference" }).fill("GH-7");
  await page.keyboard.press("Enter");
  await is("external_ref", "GH-7");

  await sheet.getByRole("button", { name: /^Due: / }).click();
  await page.getByLabel("Due", { exact: true }).and(page.locator("input")).fill("2031-03-04");
  await page.keyboard.press("Enter");
  await waitUntil(() => Date.parse(stored(sandbox, id)?.due_at ?? "") > Date.parse("2031-03-01"));
  await sheet.getByRole("button", { name: /^Due: 4 Mar 2031/ }).waitFor();

  // Labels are completed from those in use.
  const labels = sheet.getByRole("combobox", { name: "Labels" });
  await labels.fill("sec");
  await page.keyboard.press("Enter");
  await is("labels", ["security"]);
  await sheet.getByRole("button", { name: "Remove label security" }).click();
  await waitUntil(() => (stored(sandbox, id)?.labels ?? []).length === 0);

  await sheet.getByRole("button", { name: /^Parent: / }).click();
  await page.getByRole("combobox", { name: "Parent" }).fill("hardening");
  await page.keyboard.press("Enter");
  await sheet.getByRole("button", { name: `Parent: ${epic} Login hardening` }).waitFor();

  // A dependency is found by search. The reverse one is marked as closing a cycle.
  await sheet.getByRole("region", { name: "Blocked by" }).getByRole("button", { name: "Add dependency" }).click();
  await sheet.getByRole("combobox", { name: "Add dependency" }).fill("session cookie");
  await page.keyboard.press("Enter");
  await sheet.getByRole("button", { name: `Remove dependency on ${other}` }).waitFor();
  await column(page, "Blocked").getByText("Move the cookies to __Host-").waitFor();
  await sheet.getByRole("region", { name: "Unblocks" }).getByRole("button", { name: "Add dependency" }).click();
  await sheet.getByRole("combobox", { name: "Add dependency" }).fill(other);
  await sheet.getByRole("option").filter({ hasText: "Closes a cycle" }).waitFor();
  await page.keyboard.press("Escape");
  await sheet.getByRole("button", { name: `Remove dependency on ${other}` }).click();
  await column(page, "Ready").getByText("Move the cookies to __Host-").waitFor();

  await sheet.getByRole("textbox", { name: "Write a comment" }).fill("Also on *localhost*.");
  await page.keyboard.press("Control+Enter");
  await sheet.getByRole("region", { name: "Comments" }).getByRole("emphasis").getByText("localhost").waitFor();

  await sheet.getByRole("button", { name: "History" }).click();
  await sheet.getByRole("region", { name: "History" }).getByText(/set the priority to P0/).waitFor();
  const saving = page.waitForEvent("download");
  await sheet.getByRole("button", { name: "Export history" }).click();
  await page.getByRole("menuitem", { name: "Export as Markdown" }).click();
  const saved = await saving;
  assert.match(readFileSync(await saved.path(), "utf8"), /^# History of /);
  assert.deepEqual(page.errors, []);
});

journey("a stale form shows both versions and never overwrites", { needs: [] }, async (sandbox) => {
  await embedded(sandbox);
  const id = await bead(sandbox, "Move the cookies", "--description", "one\ntwo\nthree");
  await sandbox.serve();
  const page = await sandbox.open();
  const sheet = await open(page, id, "Move the cookies");

  await sheet.getByRole("heading", { level: 2 }).getByRole("button").click();
  await sheet.getByRole("textbox", { name: "Title" }).fill("My title");
  await sandbox.console("bead", "update", id, "--title", "Their title");
  await sheet.getByRole("button", { name: "Keep mine" }).waitFor();
  await page.keyboard.press("Enter");
  assert.equal(stored(sandbox, id).title, "Their title");
  await sheet.getByRole("button", { name: "Take theirs" }).click();
  await sheet.getByRole("heading", { name: "Their title" }).waitFor();

  // Changes to different lines of a text are merged.
  await sheet.getByRole("radio", { name: "Write" }).first().click();
  await sheet.getByRole("textbox", { name: "Description" }).fill("ONE\ntwo\nthree");
  await sandbox.console("bead", "update", id, "--description", "one\ntwo\nTHREE");
  await sheet.getByRole("button", { name: "Show both" }).click();
  const both = page.getByRole("dialog", { name: `Two versions of ${id}` });
  assert.equal(await both.getByRole("textbox", { name: "Merged" }).inputValue(), "ONE\ntwo\nTHREE");
  await both.getByRole("button", { name: "Save merged" }).click();
  await waitUntil(() => stored(sandbox, id).description === "ONE\ntwo\nTHREE");
  assert.deepEqual(page.errors, []);
});

journey("a text that is typed while the folder is moved away is kept until it is back", { needs: [], long: true }, async (sandbox) => {
  await embedded(sandbox);
  const id = await bead(sandbox, "Move the cookies", "--description", "one");
  await sandbox.serve();
  const page = await sandbox.open();
  const sheet = await open(page, id, "Move the cookies");
  await sheet.getByRole("radio", { name: "Write" }).first().click();
  await sheet.getByRole("textbox", { name: "Description" }).fill("typed over the abyss");

  const away = `${sandbox.project}-away`;
  renameSync(sandbox.project, away);
  await page.getByRole("main").getByText("Folder not found").waitFor();
  renameSync(away, sandbox.project);
  await page.getByRole("main").getByText("Folder not found").waitFor({ state: "detached" });
  const again = (await sheet.isVisible()) ? sheet : await open(page, id, "Move the cookies");
  const text = again.getByRole("textbox", { name: "Description" });
  await waitUntil(async () => (await text.count()) > 0 && (await text.inputValue()) === "typed over the abyss");
  await text.press("Control+Enter");
  await waitUntil(() => stored(sandbox, id)?.description === "typed over the abyss");
});

journey("a bead is closed, reopened and deleted, and each is undone", { needs: [] }, async (sandbox) => {
  await embedded(sandbox);
  const id = await bead(sandbox, "Move the cookies");
  await sandbox.serve();
  const page = await sandbox.open();
  const sheet = await open(page, id, "Move the cookies");

  await sheet.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Close…" }).click();
  const dialog = page.getByRole("dialog", { name: `Close ${id}` });
  await dialog.getByRole("textbox").fill("Done elsewhere");
  await dialog.getByRole("button", { name: /^Close Ctrl/ }).click();
  await waitUntil(() => stored(sandbox, id).status === "closed");
  await sheet.getByRole("region", { name: "Close reason" }).getByText("Done elsewhere").waitFor();
  await toast(page, `${id} closed`).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await waitUntil(() => stored(sandbox, id).status === "open");

  await sheet.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
  await sheet.waitFor({ state: "detached" });
  await card(page, id).waitFor({ state: "detached" });
  await toast(page, `${id} deleted`).waitFor();
  // Outside a text field, Ctrl+Z undoes the deletion.
  await page.keyboard.press("Control+z");
  await card(page, id).waitFor();
  await waitUntil(() => stored(sandbox, id).status === "open");
  assert.deepEqual(page.errors, []);
});
