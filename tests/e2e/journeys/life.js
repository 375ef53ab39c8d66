// Journeys 4 to 6: pause, resume, held texts, the end with a review, history, export, delete and undo.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { journey } from "../sandbox.js";
import { atPrompt, chat, column, panel, said, say, startWork, tab, toast } from "../words.js";

journey("a session is paused, resumed, written to, ended, read, exported, deleted and brought back", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("Tell a story");
  await sandbox.serve();
  const page = await sandbox.open();
  await startWork(page, id, { objective: "[[say:Once upon a time.]]" });
  await said(page, "Once upon a time.").first().waitFor();
  await atPrompt(page);

  // Pause and resume; claude remembers.
  await panel(page).getByRole("button", { name: "Pause" }).click();
  await chat(page).getByText(/^Paused.*Claude is not running\.$/).waitFor();
  await panel(page).getByRole("button", { name: "Resume" }).first().click();
  await atPrompt(page);
  await said(page, "Once upon a time.").first().waitFor();

  // Written while claude works: held, shown as held, delivered after.
  await say(page, "[[slow:60]]");
  await panel(page).getByRole("button", { name: /^Stop/ }).waitFor();
  await say(page, "and then?");
  await chat(page).getByText(/^Held: claude is working/).waitFor();
  await said(page, "Reply to: and then?").waitFor();
  await chat(page).getByText(/^Held: claude is working/).waitFor({ state: "detached" });

  // Interrupted.
  await atPrompt(page);
  await say(page, "[[slow:900]]");
  await chat(page).getByText(/^Writing/).waitFor();
  await panel(page).getByRole("button", { name: /^Stop/ }).click();
  await atPrompt(page);

  // The end moves the bead on.
  await panel(page).getByRole("button", { name: "End", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "End Tell a story?" });
  const review = dialog.getByRole("checkbox", { name: `Move ${id} to In review` });
  assert.equal(await review.isChecked(), true);
  await dialog.getByRole("button", { name: "End session" }).click();
  await toast(page, `${id} moved to In review`).waitFor();
  await column(page, "In review").getByText("Tell a story").waitFor();
  await chat(page).getByText("Closed sessions are read only.").waitFor();
  assert.match(await sandbox.bd("show", id, "--json"), /"status": ?"in_review"/);

  // History has all of it, read only.
  await tab(page, "History").click();
  const search = page.getByRole("textbox", { name: "Search sessions" });
  await search.fill("story");
  await page.getByText("1 session", { exact: true }).waitFor();
  const found = page.getByRole("main").getByRole("button", { name: /Tell a story/ }).first();
  await found.waitFor();
  await search.fill("nothing like it");
  await page.getByText("Nothing matches nothing like it").waitFor();
  await search.fill("");

  // Exported as a plain document.
  await found.click();
  await page.getByRole("main").getByText("Read only").waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("main").getByRole("button", { name: "Export Markdown" }).first().click();
  const file = await download;
  assert.match(file.suggestedFilename(), /\.md$/);
  const text = readFileSync(await file.path(), "utf8");
  assert.match(text, /Tell a story/);
  assert.match(text, /Once upon a time\./);
  assert.match(text, /Reply to: and then\?/);

  // Deleted, and brought back.
  const row = page.getByRole("region", { name: "Sessions" }).getByRole("button", { name: /^closed Tell a story/ });
  await row.waitFor();
  await page.getByRole("button", { name: "More for Tell a story" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await toast(page, "Tell a story deleted").waitFor();
  await row.waitFor({ state: "detached" });
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await row.waitFor();
  assert.deepEqual(page.troubles, []);
});
