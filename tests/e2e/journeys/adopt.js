// Journey: a conversation that the user began with claude in a terminal is found in the history, adopted and
// continued.

import assert from "node:assert/strict";
import { journey, waitUntil } from "../sandbox.js";
import { chat, chatText, panel, tab } from "../actions.js";

journey("a conversation begun in claude becomes a session and continues", { needs: ["bd", "claude"] }, async (sandbox) => {
  const { project } = sandbox;
  // The user runs claude outside this program.
  await sandbox.claude(project, "-p", "the word is marmalade");
  const id = await sandbox.bead("Continue the conversation");
  await sandbox.serve();
  const page = await sandbox.open();
  await tab(page, "History").click();
  await page.getByRole("button", { name: /^Begun in Claude Code/ }).click();
  await page.getByRole("button", { name: "Adopt the word is marmalade" }).click();
  const dialog = page.getByRole("dialog", { name: "Adopt conversation" });
  await dialog.getByLabel("Bead").pressSequentially("Continue the");
  await page.getByRole("option", { name: /Continue the conversation/ }).click();
  await dialog.getByRole("button", { name: /^Adopt/ }).last().click();
  await dialog.waitFor({ state: "detached" });

  // The session has the recorded conversation, and claude continues it.
  await panel(page).getByRole("heading", { name: "the word is marmalade" }).waitFor();
  await chatText(page, "Reply to: the word is marmalade").waitFor();
  await panel(page).getByText("Your turn", { exact: true }).waitFor();
  await chat(page).getByRole("textbox", { name: "Message to claude" }).fill("go on");
  await page.keyboard.press("Enter");
  await chatText(page, "Reply to: go on").waitFor();
  await waitUntil(async () => (await sandbox.sessions())[0].message_count === 4);
  const [session] = await sandbox.sessions();
  assert.deepEqual([session.bead_id, session.claude_sessions.length], [id, 1]);
  assert.match(await sandbox.bd("show", id, "--json"), /"status": ?"in_progress"/);
  assert.deepEqual(page.errors, []);
});
