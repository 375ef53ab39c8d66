// Journey: Start Work on a card, the real claude, a permission, and one conversation in two tabs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { journey, waitUntil } from "../sandbox.js";
import { atPrompt, card, chat, chatText, column, composer, panel, screen, sendPrompt, startWork, tab, terminal } from "../actions.js";

journey("work starts from a card, a permission is allowed in the chat, and a prompt is typed in the terminal", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("Add a greeting");
  const file = join(sandbox.project, "greeting.txt");
  await sandbox.serve();
  const page = await sandbox.open();

  // A branch name is proposed, and an invalid name is reported while the user types.
  await card(page, id).getByRole("button", { name: /^Start work/i }).first().click();
  const dialog = page.getByRole("dialog");
  const branch = dialog.getByLabel("Branch");
  await dialog.getByText("The branch name is available.").waitFor();
  const proposed = await branch.inputValue();
  assert.match(proposed, /add-a-greeting/);
  await branch.fill("no good..name");
  await dialog.locator("[aria-invalid=true]").waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Start Work" }).isDisabled(), true);
  await branch.fill("");
  await dialog.getByText("Enter a branch name.").waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Start Work" }).isDisabled(), true);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  await startWork(page, id, { objective: `Write it [[write:${file}:hello there]]` });
  await column(page, "In progress").getByText("Add a greeting").waitFor();
  await panel(page).getByText(proposed, { exact: true }).first().waitFor();

  // Claude asks, and writes nothing before the user allows it.
  const ask = page.getByRole("region", { name: "claude wants to write a file" });
  await ask.getByText("greeting.txt").first().waitFor();
  await page.getByRole("region", { name: "Needs you", exact: true }).getByText("Allow write of greeting.txt").waitFor();
  assert.throws(() => readFileSync(file), { code: "ENOENT" });
  await ask.getByRole("button", { name: /^Allow once/ }).click();
  await chatText(page, "Done: the tools ran.").waitFor();
  assert.equal(readFileSync(file, "utf8").trim(), "hello there");
  await ask.waitFor({ state: "detached" });

  // The tool call is a line that expands on a click.
  const line = chat(page).getByRole("button", { name: /^Write .*greeting\.txt/ });
  assert.equal(await line.getAttribute("aria-expanded"), "false");
  await line.click();
  assert.equal(await line.getAttribute("aria-expanded"), "true");

  // Messages from the chat appear in the terminal, and vice versa.
  await atPrompt(page);
  await sendPrompt(page, "first from the chat");
  await chatText(page, "Reply to: first from the chat").waitFor();
  await atPrompt(page);
  await sendPrompt(page, "[[say:Some **bold** code:\n\n```js\nconst greeting = 'hello';\n```]]");
  await chatText(page, "bold").last().waitFor();
  const code = page.getByRole("log", { name: "Conversation" }).locator("pre code").last();
  await code.getByText("const", { exact: true }).waitFor();
  const colours = () => code.locator("span").evaluateAll((spans) => new Set(spans.map((span) => getComputedStyle(span).color)).size);
  await waitUntil(async () => (await colours()) > 1);
  await tab(page, "Terminal").click();
  await screen(page).getByText("first from the chat").first().waitFor();
  await screen(page).getByText("hello there").first().waitFor();
  await atPromptOfTerminal(page);
  await page.keyboard.type("second from the terminal");
  await screen(page).getByText("second from the terminal").first().waitFor();
  await page.keyboard.press("Enter");
  await screen(page).getByText("Reply to: second from the terminal").first().waitFor();
  await tab(page, "Chat").click();
  await chatText(page, "second from the terminal").waitFor();
  await chatText(page, "Reply to: second from the terminal").waitFor();
  assert.equal(await composer(page).inputValue(), "");
  assert.equal(await terminal(page).count(), 0, "the hidden tab is visible to a screen reader");
  assert.deepEqual(page.errors, []);
});

journey("a denied permission tells claude the reason", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("Not like this");
  const file = join(sandbox.project, "never.txt");
  await sandbox.serve();
  const page = await sandbox.open();
  await startWork(page, id, { objective: `[[write:${file}:no]]` });
  const ask = page.getByRole("region", { name: "claude wants to write a file" });
  await ask.getByRole("button", { name: /^Deny…/ }).click();
  await ask.getByRole("textbox", { name: "Reason" }).fill("not in this folder");
  await ask.getByRole("button", { name: "Deny", exact: true }).click();
  await ask.waitFor({ state: "detached" });
  const line = chat(page).getByRole("button", { name: /^Write .*never\.txt/ });
  await line.click();
  await chat(page).getByText(/not in this folder/).first().waitFor();
  assert.throws(() => readFileSync(file), { code: "ENOENT" });
});

/** Waits until the terminal shows the first reply and has the focus, so that keys go to claude. */
async function atPromptOfTerminal(page) {
  await screen(page).getByText("Reply to: first from the chat").first().waitFor();
  await page.waitForFunction(() => document.activeElement?.closest("[data-terminal]"));
}
