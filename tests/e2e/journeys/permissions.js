// Journey: claude's permission requests are answered in claude's own dialog or on the card, whichever comes
// first; the sidebar counts the open ones.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { journey } from "../sandbox.js";
import { atPrompt, chat, chatText, newSession, panel, screen, sendPrompt, tab, terminal } from "../actions.js";

const DIALOG = /Do you want to create/;

journey("a permission request is answered once, in claude's dialog or on the card", { needs: ["bd", "claude"] }, async (sandbox) => {
  const file = (name) => join(sandbox.project, name);
  const written = (name) => readFileSync(file(name), "utf8").trim();
  await sandbox.serve();
  const one = await sandbox.open();
  const two = await sandbox.open(one.context());
  const card = (page) => page.getByRole("region", { name: "claude wants to write a file" });
  const needs = (page) => page.getByRole("region", { name: "Needs you", exact: true });
  await newSession(one, { title: "Asks", objective: `[[write:${file("first.txt")}:by the dialog]]` });
  await two.getByRole("region", { name: "Sessions" }).getByRole("button", { name: /Asks/ }).first().click();

  // The terminal shows claude's own dialog and a bar with the same question.
  await card(two).waitFor();
  await needs(two).getByRole("heading", { name: "Needs you 1" }).waitFor();
  await tab(one, "Terminal").click();
  await screen(one).getByText(DIALOG).first().waitFor();
  await terminal(one).getByRole("region", { name: "Needs you: claude wants to write a file" }).waitFor();
  await panel(one).getByRole("img", { name: "needs you" }).first().waitFor();
  assert.equal(existsSync(file("first.txt")), false);

  // The terminal's answer comes first: the card disappears everywhere.
  await one.locator("[data-terminal] textarea:focus").waitFor({ state: "attached" });
  await one.keyboard.press("Enter");
  for (const page of [one, two]) {
    await card(page).waitFor({ state: "detached" });
    await needs(page).getByText(/^Allow write of/).waitFor({ state: "detached" });
  }
  await chatText(two, "Done: the tools ran.").waitFor();
  assert.equal(written("first.txt"), "by the dialog");
  await atPrompt(two);
  await needs(two).getByText(/^Your turn/).waitFor();

  // The card's answer comes first: the dialog disappears from the terminal.
  await sendPrompt(two, `[[write:${file("second.txt")}:by the card]]`);
  await screen(one).getByText(DIALOG).first().waitFor();
  await card(two).getByRole("button", { name: /^Allow once/ }).click();
  await screen(one).getByText(DIALOG).first().waitFor({ state: "detached" });
  await chatText(two, "Done: the tools ran.").nth(1).waitFor();
  assert.equal(written("second.txt"), "by the card");
  await atPrompt(two);

  // A request can also be answered in the terminal's bar, with a reason, and with the card's keys while the card has
  // the focus.
  await sendPrompt(two, `[[write:${file("third.txt")}:never]]`);
  const bar = terminal(one).getByRole("region", { name: "Needs you: claude wants to write a file" });
  await bar.getByRole("button", { name: "Deny…" }).click();
  await bar.getByRole("textbox", { name: "Reason" }).fill("the third is one too many");
  await bar.getByRole("button", { name: "Deny", exact: true }).click();
  await card(two).waitFor({ state: "detached" });
  await chat(two).getByRole("button", { name: /^Write .*third\.txt.*failed/ }).click();
  await chat(two).getByText(/the third is one too many/).first().waitFor();
  await atPrompt(two);
  await sendPrompt(two, `[[bash:touch ${file("fourth.txt")}]]`);
  const command = two.getByRole("region", { name: "claude wants to run Bash" });
  await command.getByText(`touch ${file("fourth.txt")}`).waitFor();
  await two.keyboard.press("y");
  assert.equal(await command.count(), 1, "the card took a key that was meant for the composer");
  await command.focus();
  await two.keyboard.press("y");
  await command.waitFor({ state: "detached" });
  await chatText(two, "Done: the tools ran.").nth(3).waitFor();
  assert.ok(existsSync(file("fourth.txt")));
  assert.equal(existsSync(file("third.txt")), false);
  for (const page of [one, two]) assert.deepEqual(page.errors, []);
});
