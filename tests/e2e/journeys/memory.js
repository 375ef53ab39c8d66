// What is remembered: written down by hand and by others, changed, forgotten and had back, and taken from a session.

import assert from "node:assert/strict";
import { journey } from "../sandbox.js";
import { atPrompt, panel, said, startWork, tab, toast } from "../words.js";

const list = (page) => page.getByRole("list", { name: "Memories" });
const row = (page, text) => list(page).getByRole("listitem").filter({ hasText: text });
const dialog = (page, name) => page.getByRole("dialog", { name });

journey("what is remembered is written, changed, forgotten and had back, and others' memories appear", {}, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  await tab(page, "Memory").click();
  await page.getByText("Nothing remembered yet").waitFor();
  await page.getByRole("button", { name: "New memory" }).first().click();
  const made = dialog(page, "New memory");
  await made.getByLabel("What to remember").fill("The tests need port 8080 free.");
  await made.getByLabel("Tags").fill("testing");
  await made.getByRole("button", { name: /^Remember/ }).click();
  await toast(page, "Remembered.").waitFor();
  await row(page, "The tests need port 8080").getByText("testing").waitFor();

  // By the command line, as an agent does it.
  await sandbox.console("remember", "Tokens are compared in constant time.", "--type", "decision");
  await row(page, "Tokens are compared").getByText("Decision").waitFor();

  // Changed: every program reads the new words.
  await row(page, "The tests need port 8080").getByRole("button").click();
  const sheet = dialog(page, /^Memory /);
  const key = (await sheet.getAttribute("aria-label")).replace("Memory ", "");
  await sheet.getByRole("button", { name: "Edit" }).last().click();
  await sheet.getByLabel("What to remember").fill("The tests need port 9090 free.");
  await sheet.getByRole("button", { name: "Save" }).click();
  await sheet.getByRole("paragraph").getByText("The tests need port 9090 free.").waitFor();
  assert.match(await sandbox.console("recall", key), /port 9090/);

  // Found by a word that only its text has.
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  await page.getByRole("textbox", { name: "Search memories" }).fill("9090");
  await page.getByText("1 memory", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByText("2 memories", { exact: true }).waitFor();

  // Forgotten, and had back.
  await row(page, "Tokens are compared").getByRole("button").click();
  await sheet.getByRole("button", { name: "Forget" }).click();
  await toast(page, "Forgotten.").waitFor();
  await row(page, "Tokens are compared").waitFor({ state: "detached" });
  assert.doesNotMatch(await sandbox.console("memories"), /constant time/);
  await page.getByRole("button", { name: "Undo" }).click();
  await row(page, "Tokens are compared").waitFor();
  assert.match(await sandbox.console("memories"), /constant time/);
  assert.deepEqual(page.troubles, []);
});

journey("what claude says is remembered from its message, and proposed when its session ends", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("Find out about the cache");
  const learned = "Note that the old job empties the cache at midnight.";
  const decided = "Decision: the cache is filled when it is asked, not before.";
  await sandbox.serve();
  const page = await sandbox.open();
  await startWork(page, id, { objective: `[[say:${learned} ${decided}]]` });
  await said(page, `${learned} ${decided}`).waitFor();
  await atPrompt(page);

  // The second message: what is still being written has no such button.
  await page.getByRole("log", { name: "Conversation" }).getByRole("button", { name: "Remember this" }).nth(1).click();
  const remember = dialog(page, "Remember this");
  assert.equal((await remember.getByLabel("What to remember").inputValue()).trim(), `${learned} ${decided}`);
  assert.equal(await remember.getByLabel("Bead").inputValue(), id);
  await remember.getByLabel("What to remember").fill(learned);
  await remember.getByRole("button", { name: /^Remember/ }).click();
  await toast(page, "Remembered.").waitFor();

  // What is kept already is not proposed again.
  await panel(page).getByRole("button", { name: "End", exact: true }).click();
  const end = dialog(page, /^End /);
  await end.getByRole("button", { name: /^Remember from this session/ }).click();
  const proposed = end.getByRole("listitem");
  await proposed.filter({ hasText: decided }).waitFor();
  assert.equal(await proposed.count(), 1);
  await proposed.getByRole("checkbox").check({ force: true });
  await end.getByRole("button", { name: "End session" }).click();
  await toast(page, "1 memory kept.").waitFor();

  await tab(page, "Memory").click();
  await row(page, "Note that the old job").waitFor();
  await row(page, "Decision: the cache").getByRole("button").click();
  const sheet = dialog(page, /^Memory /);
  await sheet.getByRole("heading", { name: "Where it was used" }).waitFor();
  await sheet.getByRole("button", { name: "Find out about the cache" }).waitFor();
  assert.match(await sandbox.console("memories", "--json"), /filled when it is asked/);
  assert.deepEqual(page.troubles, []);
});
