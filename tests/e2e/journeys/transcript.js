// A recorded session: search, timeline, metrics, and an export with options.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey } from "../sandbox.js";
import { atPrompt, chatText, panel, sendPrompt, startWork, tab, toast } from "../actions.js";

const dialog = (page) => page.getByRole("dialog");
const transcript = (page) => page.getByRole("region", { name: "Transcript" });
const events = (page) => page.getByRole("group", { name: "Events" });

journey("a session's text is found, its timeline is shown, and it is exported without tool output", { needs: ["bd", "claude"] }, async (sandbox) => {
  const { project } = sandbox;
  const id = await sandbox.bead("Paint the fence");
  writeFileSync(join(project, "tool.txt"), "an answer of a tool\n");
  await sandbox.git(project, "add", "tool.txt");
  await sandbox.git(project, "commit", "-qm", "a file");
  await sandbox.serve();
  const page = await sandbox.open();
  await startWork(page, id, { objective: `[[read:${join(project, "tool.txt")}]]` });
  await chatText(page, "Done: the tools ran.").waitFor();
  await atPrompt(page);
  await sendPrompt(page, "[[say:The fence is **green** now.]]");
  await page.getByRole("log", { name: "Conversation" }).getByText("green", { exact: true }).nth(1).waitFor();
  await atPrompt(page);

  // The timeline has the start and the prompts, and a prompt links to its message in the chat.
  await tab(page, "Timeline").click();
  await events(page).getByText("Started").waitFor();
  await page.getByRole("list", { name: "Total time" }).getByText(/^Working/).waitFor();
  await events(page).getByRole("button", { name: /You .*fence is/ }).click();
  await page.getByRole("log", { name: "Conversation" }).getByText(/say:The fence is/).waitFor();
  assert.equal(await tab(page, "Chat").getAttribute("aria-selected"), "true");

  // The metrics count the call of the Read tool.
  await page.getByRole("button", { name: "More actions for this session" }).click();
  await page.getByRole("menuitem", { name: "Metrics" }).click();
  await dialog(page).getByRole("row", { name: /^Read 1 0$/ }).waitFor();
  await dialog(page).getByRole("button", { name: "Done" }).click();

  // The history finds and shows a text in a tool's output, and jumps to a time.
  await page.keyboard.press("Alt+w");
  await panel(page).waitFor({ state: "detached" });
  await tab(page, "History").click();
  await transcript(page).getByRole("log").getByText("green", { exact: true }).nth(1).waitFor();
  await transcript(page).getByRole("button", { name: "Find in this session" }).click();
  await transcript(page).getByRole("textbox", { name: "Find in this session" }).fill("ANSWER of a tool");
  await transcript(page).getByText("1 of 1", { exact: true }).waitFor();
  await transcript(page).getByText(/an answer of a tool/).waitFor();
  await transcript(page).getByRole("textbox", { name: "Find in this session" }).fill("no such words");
  await transcript(page).getByText("No results", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await transcript(page).getByRole("button", { name: "Go to time" }).click();
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await transcript(page).getByRole("log").getByText(/tool\.txt/).first().waitFor();

  // Exports all results as JSON, without tool outputs.
  await page.getByRole("main").getByRole("button", { name: "Export…" }).click();
  await dialog(page).getByRole("radio", { name: /^JSON/ }).click();
  await dialog(page).getByRole("checkbox", { name: /^Leave out tool output/ }).check();
  const download = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: "Export", exact: true }).click();
  const text = readFileSync(await (await download).path(), "utf8");
  await toast(page, /^Exported to /).waitFor();
  const exported = JSON.parse(text);
  assert.equal(exported.bead_id, id);
  assert.match(text, /The fence is/);
  // Only the messages are checked, because the context pack may contain the same file.
  assert.doesNotMatch(JSON.stringify(exported.messages), /an answer of a tool/);
  assert.deepEqual(page.errors, []);
});
