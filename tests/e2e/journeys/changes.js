// What a session changes, seen while claude changes it: files, lines, commits, and a comment on a line that goes to it;
// and the worktrees that sessions leave.

import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey, until } from "../sandbox.js";
import { atPrompt, chat, command, newSession, panel, said, say, tab } from "../words.js";

const needs = ["bd", "claude"];
const changes = (page) => page.getByRole("tabpanel", { name: "Changes" });
const file = (page, name) => changes(page).getByRole("navigation", { name: "Files" }).getByRole("button", { name });
const dialog = (page, name) => page.getByRole("dialog", { name });

async function allow(page) {
  await chat(page).getByRole("region", { name: /wants to/ }).getByRole("button", { name: /^Allow once/ }).click();
}

journey("what claude writes is seen in Changes, and a comment on a line goes to it", { needs }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  await newSession(page, { title: "Greets", objective: "[[write:greet.ts:export const greeting = 'hello';]]" });
  await allow(page);
  await said(page, "Done: the tools ran.").first().waitFor();
  await atPrompt(page);
  await page.keyboard.press("Control+Shift+D");
  await file(page, /greet\.ts/).waitFor();
  const change = changes(page).getByRole("group", { name: "Change of greet.ts" });
  await change.getByText("'hello'").waitFor();
  await changes(page).getByText("1 file not committed").waitFor();
  await change.locator(".keyword", { hasText: "export" }).first().waitFor();

  await change.getByRole("button", { name: "Comment on line 1, added" }).click();
  await page.getByRole("textbox", { name: "Comment on line 1" }).fill("Say it in French.");
  await page.keyboard.press("Control+Enter");
  await changes(page).getByRole("button", { name: /^Send to/ }).click();
  await changes(page).getByText("1 comment not sent").waitFor({ state: "detached" });
  await tab(page, "Chat").click();
  await chat(page).getByText("Say it in French.").first().waitFor();
  await atPrompt(page);

  // Committed it is in a commit; the tab hears of it by itself.
  await tab(page, "Changes").click();
  await file(page, /greet\.ts/).waitFor();
  await tab(page, "Chat").click();
  await say(page, "[[bash:git add greet.ts && git commit -qm greets]]");
  await allow(page);
  await tab(page, "Changes").click();
  await changes(page).getByRole("button", { name: "1 commit" }).click();
  await changes(page).getByRole("list", { name: "Commits" }).getByText("greets").waitFor();
  await changes(page).getByText("1 file not committed").waitFor({ state: "detached" });
});

journey("worktrees are listed, what would be lost with one is shown, and one that is gone is made again", {}, async (sandbox) => {
  const start = async (branch) => {
    const { session } = JSON.parse(await sandbox.console("session", "start", "--simulated", "--worktree", "--branch", branch, "--prompt", "", "--json"));
    return session;
  };
  const [kept, lost] = [await start("kept"), await start("lost")];
  for (const { id } of [kept, lost]) await sandbox.console("session", "pause", id);
  writeFileSync(join(kept.cwd, "notes.txt"), "mine\n");
  await sandbox.serve();
  const page = await sandbox.open();
  await command(page, "worktrees");
  const list = dialog(page, "Worktrees");
  const line = (branch) => list.getByRole("listitem", { name: branch });
  await line("kept").waitFor();
  await line("lost").waitFor();

  // With work in it, it goes only after a look at that.
  await line("kept").getByRole("button", { name: "Remove kept" }).click();
  const loss = dialog(page, "What would be lost");
  await loss.getByText("notes.txt").waitFor();
  writeFileSync(join(kept.cwd, "later.txt"), "after the look\n");
  await loss.getByRole("button", { name: "Remove all the same" }).click();
  // It was not looked at with this in it: refused, and shown again.
  await loss.getByText("later.txt").waitFor();
  assert.ok(existsSync(join(kept.cwd, "later.txt")));
  await loss.getByRole("button", { name: "Remove all the same" }).click();
  await list.getByText("the branch kept stays").waitFor();
  await line("kept").getByRole("button", { name: "Make again" }).waitFor();
  assert.ok(!existsSync(kept.cwd));

  // Gone behind the program's back, it is made again for its session.
  rmSync(lost.cwd, { recursive: true });
  await list.getByRole("button", { name: "Look again" }).click();
  await line("lost").getByRole("button", { name: "Make again" }).click();
  await until(() => existsSync(join(lost.cwd, ".git")));
  await line("lost").getByText("clean").waitFor();
});
