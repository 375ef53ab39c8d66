// Journey: the page is closed or the server dies while claude works; two browsers at once.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { journey, waitUntil } from "../sandbox.js";
import { atPrompt, card, chat, chatText, composer, panel, screen, sendPrompt, startWork, tab } from "../actions.js";

journey("a page that is closed and reopened while claude works has missed nothing", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("Go on without me");
  const file = join(sandbox.project, "alone.txt");
  await sandbox.serve();
  const page = await sandbox.open();
  const context = page.context();
  await startWork(page, id, { objective: "[[slow:50]]" });
  await chat(page).getByText(/^Writing/).waitFor();
  await sendPrompt(page, `[[write:${file}:done alone]]`);
  await chat(page).getByRole("list", { name: "Queued messages" }).waitFor();
  await composer(page).fill("half a thought");
  await page.close();

  // Meanwhile claude finishes its reply, receives the queued prompt, and asks for a permission.
  await waitUntil(() => sandbox.messages().some(({ tool_calls }) => tool_calls?.length > 0));
  assert.equal(existsSync(file), false);

  const again = await sandbox.open(context);
  await panel(again).getByRole("heading", { name: "Go on without me" }).waitFor();
  await again.getByRole("region", { name: "Needs you", exact: true }).getByText("Allow write of alone.txt").waitFor();
  await chat(again).getByText(/word49/).first().waitFor();
  assert.equal(await composer(again).inputValue(), "half a thought");
  const ask = again.getByRole("region", { name: "claude wants to write a file" });
  await ask.getByRole("button", { name: /^Allow once/ }).click();
  await chatText(again, "Done: the tools ran.").waitFor();
  assert.equal(readFileSync(file, "utf8").trim(), "done alone");
  await atPrompt(again);

  // After another reopening, the terminal shows the same text.
  await tab(again, "Terminal").click();
  await screen(again).getByText("Done: the tools ran.").first().waitFor();
  const before = await terminalText(again, "Done: the tools ran.");
  await again.close();
  const third = await sandbox.open(context);
  await screen(third).getByText("Done: the tools ran.").first().waitFor();
  assert.deepEqual(await terminalText(third, "Done: the tools ran."), before);
  for (const one of sandbox.pages) assert.deepEqual(one.errors, []);
});

journey("a server that is killed and started again shows the same session", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("Outlive the server");
  await sandbox.serve();
  const page = await sandbox.open();
  await startWork(page, id, { objective: "[[say:I am still here.]]" });
  await chatText(page, "I am still here.").waitFor();
  await atPrompt(page);
  await sendPrompt(page, "before the fall");
  await chatText(page, "Reply to: before the fall").waitFor();
  await atPrompt(page);
  await tab(page, "Terminal").click();
  await screen(page).getByText("Reply to: before the fall").first().waitFor();
  const talk = (of) => terminalText(of, "Reply to: before the fall");
  await waitUntil(async () => (await talk(page)).length === 4);
  const before = await talk(page);

  // The server restarts at the same port, because a browser stores the layout per origin.
  await sandbox.killServer();
  await page.getByRole("status").getByText("Sessions keep running; nothing is lost.").waitFor();

  await sandbox.serve("--port", String(sandbox.port));
  const again = await sandbox.open(page.context());
  await panel(again).getByRole("heading", { name: "Outlive the server" }).waitFor();
  await panel(again).getByText("Your turn", { exact: true }).waitFor();
  await screen(again).getByText("Reply to: before the fall").first().waitFor();
  await waitUntil(async () => (await talk(again)).length >= before.length);
  assert.deepEqual(await talk(again), before);
  await tab(again, "Chat").click();
  await chatText(again, "I am still here.").waitFor();
  assert.equal(await chatText(again, "Reply to: before the fall").count(), 1);

  // The session continues.
  await atPrompt(again);
  await sendPrompt(again, "after the fall");
  await chatText(again, "Reply to: after the fall").waitFor();
  assert.deepEqual(again.errors, []);
});

journey("two browsers show and control the same session at once", { needs: ["bd", "claude"], long: true }, async (sandbox) => {
  const id = await sandbox.bead("Seen by two");
  const file = join(sandbox.project, "once.txt");
  await sandbox.serve();
  const one = await sandbox.open();
  const two = await sandbox.open(one.context());
  await startWork(one, id, { objective: `[[write:${file}:once]]` });
  await card(two, id).getByRole("button", { name: "Seen by two" }).waitFor();
  await two.getByRole("region", { name: "Sessions" }).getByRole("button", { name: /Seen by two/ }).first().click();
  const ask = (page) => page.getByRole("region", { name: "claude wants to write a file" });
  await ask(one).waitFor();
  await ask(two).getByRole("button", { name: /^Allow once/ }).click();
  await ask(one).waitFor({ state: "detached" });
  for (const page of [one, two]) await chatText(page, "Done: the tools ran.").waitFor();
  assert.equal(readFileSync(file, "utf8").trim(), "once");

  await atPrompt(one);
  await sendPrompt(one, "hello from one");
  for (const page of [one, two]) {
    await chatText(page, "Reply to: hello from one").waitFor();
    await shownOnce(page, "hello from one");
  }
  // The command line acts on the same session.
  await sandbox.console("session", "send", sandbox.sessions()[0].id, "hello from a shell");
  for (const page of [one, two]) await chatText(page, "Reply to: hello from a shell").waitFor();
  await shownOnce(two, "hello from a shell");
  // A pause affects both browsers, and neither reports a failure.
  await atPrompt(two);
  await panel(two).getByRole("button", { name: "Pause" }).click();
  for (const page of [one, two]) {
    await chat(page).getByText(/^Paused.*Claude is not running\.$/).waitFor();
    assert.deepEqual(page.errors, []);
  }
});

/** Checks that a sent message and its recording are shown as one. */
async function shownOnce(page, text) {
  await atPrompt(page);
  // A streamed reply can appear before the recording of its prompt.
  await chatText(page, text).first().waitFor();
  assert.equal(await chatText(page, text).count(), 1);
}

/** The first lines of the terminal's prompts and replies, up to this answer; later text still changes. */
async function terminalText(page, answer) {
  const rows = await page.locator("[data-terminal] .xterm-rows > div").allTextContents();
  const talk = rows.map((row) => row.trimEnd()).filter((row) => /^[❯●] ./.test(row));
  return talk.slice(0, talk.findLastIndex((row) => row.includes(answer)) + 1);
}
