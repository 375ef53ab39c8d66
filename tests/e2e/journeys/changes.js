// Changes of a session while claude makes them: files, lines, commits, a comment on a line that is sent to claude;
// viewed files; the changes beside the terminal; and worktrees that sessions leave.

import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey, waitUntil } from "../sandbox.js";
import { atPrompt, chat, chatText, command, newSession, panel, sendPrompt, tab, terminal } from "../actions.js";

const needs = ["bd", "claude"];
const changes = (page) => page.getByRole("tabpanel", { name: "Changes" });
const file = (page, name) => changes(page).getByRole("navigation", { name: "Files" }).getByRole("button", { name });
const dialog = (page, name) => page.getByRole("dialog", { name });

async function allow(page) {
  await chat(page).getByRole("region", { name: /wants to/ }).getByRole("button", { name: /^Allow once/ }).click();
}

journey("Changes shows what claude writes, and a comment on a line is sent to claude", { needs }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  await newSession(page, { title: "Greets", objective: "[[write:greet.ts:export const greeting = 'hello';]]" });
  await allow(page);
  await chatText(page, "Done: the tools ran.").first().waitFor();
  await atPrompt(page);
  await page.keyboard.press("Control+Shift+D");
  await file(page, /greet\.ts/).waitFor();
  const change = changes(page).getByRole("group", { name: "Changes in greet.ts" });
  await change.getByText("'hello'").waitFor();
  await changes(page).getByText("1 uncommitted file").waitFor();
  await change.locator(".keyword", { hasText: "export" }).first().waitFor();

  await change.getByRole("button", { name: "Comment on line 1, added" }).click();
  await page.getByRole("textbox", { name: "Comment on line 1" }).fill("Say it in French.");
  await page.keyboard.press("Control+Enter");
  await changes(page).getByRole("button", { name: /^Send to/ }).click();
  await changes(page).getByText("1 unsent comment").waitFor({ state: "detached" });
  await tab(page, "Chat").click();
  await chat(page).getByText("Say it in French.").first().waitFor();
  await atPrompt(page);

  // After a commit, the tab updates automatically and shows it in that commit.
  await tab(page, "Changes").click();
  await file(page, /greet\.ts/).waitFor();
  await tab(page, "Chat").click();
  await sendPrompt(page, "[[bash:git add greet.ts && git commit -qm greets]]");
  await allow(page);
  await tab(page, "Changes").click();
  await changes(page).getByRole("button", { name: "1 commit" }).click();
  await changes(page).getByRole("list", { name: "Commits" }).getByText("greets").waitFor();
  await changes(page).getByText("1 uncommitted file").waitFor({ state: "detached" });
});

journey("a viewed file stays viewed in every window and after a restart, until it changes", { needs }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  const status = (on) => changes(on).getByRole("status");
  const counted = (on, text) => status(on).getByText(text, { exact: true }).waitFor();
  const viewed = (on) => changes(on).getByRole("checkbox", { name: "Viewed" });
  await newSession(page, { title: "Greets", objective: "[[write:greet.ts:export const greeting = 'hello';]]" });
  await allow(page);
  await chatText(page, "Done: the tools ran.").first().waitFor();
  await atPrompt(page);
  await sendPrompt(page, "[[bash:printf 'one\\n' > notes.txt]]");
  await allow(page);
  await page.keyboard.press("Control+Shift+D");
  await counted(page, "0 of 2 viewed");
  await file(page, /greet\.ts/).click();

  // Marking a file as viewed moves to the next one, also by a key.
  await viewed(page).click();
  await counted(page, "1 of 2 viewed");
  await changes(page).getByRole("group", { name: "Changes in notes.txt" }).getByText("one").waitFor();
  await file(page, /greet\.ts.*viewed/).click();
  await changes(page).getByText("You have viewed this file.").waitFor();
  await changes(page).getByRole("button", { name: "Show" }).click();
  await changes(page).getByRole("group", { name: "Changes in greet.ts" }).getByText("'hello'").waitFor();

  // A second page shows the mark, and marks made there appear here.
  const other = await sandbox.open(page.context());
  await panel(other).waitFor();
  await tab(other, "Changes").click();
  await counted(other, "1 of 2 viewed");
  await file(other, /notes\.txt/).click();
  await other.keyboard.press("v");
  await counted(other, "2 of 2 viewed");
  await counted(page, "2 of 2 viewed");
  await other.keyboard.press("v");
  await counted(page, "1 of 2 viewed");
  await other.close();

  // In a commit the file is unchanged and stays viewed; with another line it does not.
  await tab(page, "Chat").click();
  await atPrompt(page);
  await sendPrompt(page, "[[bash:git add greet.ts && git commit -qm greets]]");
  await allow(page);
  await tab(page, "Changes").click();
  await changes(page).getByText("1 uncommitted file").waitFor();
  await counted(page, "1 of 2 viewed");
  await tab(page, "Chat").click();
  await atPrompt(page);
  await sendPrompt(page, "[[bash:echo '// more' >> greet.ts]]");
  await allow(page);
  await tab(page, "Changes").click();
  await counted(page, "0 of 2 viewed");
  await file(page, /greet\.ts.*changed since you viewed it/).click();
  await changes(page).getByText("Changed since you viewed it").first().waitFor();
  await viewed(page).click();
  await counted(page, "1 of 2 viewed");

  await page.close();
  await sandbox.stopServer();
  await sandbox.serve();
  const later = await sandbox.open();
  await panel(later).waitFor();
  await tab(later, "Changes").click();
  await counted(later, "1 of 2 viewed");
  await file(later, /greet\.ts.*viewed/).waitFor();
});

journey("changes are shown beside the terminal if there is room, with the user's width", { needs }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  const aside = page.getByRole("region", { name: "Changes", exact: true });
  const line = page.getByRole("separator", { name: "Width of the changes" });
  const share = async () => Number(await line.getAttribute("aria-valuenow"));
  await newSession(page, { title: "Greets", objective: "[[write:greet.ts:export const greeting = 'hello';]]" });
  await allow(page);
  await chatText(page, "Done: the tools ran.").first().waitFor();
  await atPrompt(page);
  await tab(page, "Terminal").click();
  await terminal(page).getByText("Done: the tools ran.").first().waitFor();
  const fullWidth = (await terminal(page).boundingBox()).width;

  // A shortcut of the terminal, because claude uses the others.
  await page.keyboard.press("Control+Shift+E");
  await aside.getByText("1 uncommitted file").waitFor();
  await terminal(page).getByText("Done: the tools ran.").first().waitFor();
  assert.equal(await tab(page, "Changes").count(), 0);
  const [left, right] = [await terminal(page).boundingBox(), await aside.boundingBox()];
  assert.ok(left.x + left.width <= right.x && right.width > 400, JSON.stringify([fullWidth, left, right]));

  await page.keyboard.press("Control+Shift+D");
  await waitUntil(() => aside.evaluate((it) => it === document.activeElement));
  await page.keyboard.press("v");
  await aside.getByText("1 of 1 viewed").waitFor();

  // Resized by keys and by dragging, and kept after a reload.
  assert.equal(await line.getAttribute("aria-orientation"), "vertical");
  const before = await share();
  await line.focus();
  await page.keyboard.press("ArrowLeft");
  await waitUntil(async () => (await share()) < before);
  const at = await line.boundingBox();
  const middle = { x: at.x, y: at.y + at.height / 2 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x + 120, middle.y, { steps: 4 });
  await page.mouse.up();
  await waitUntil(async () => (await aside.boundingBox()).x > at.x + 60);
  const made = Math.round(await share());
  await page.reload();
  await aside.getByText("1 uncommitted file").waitFor();
  await waitUntil(async () => Math.round(await share()) === made);

  // In a small window the changes are a tab again; in a large one they are beside the terminal.
  await page.setViewportSize({ width: 800, height: 600 });
  await tab(page, "Changes").click();
  await changes(page).getByText("1 uncommitted file").waitFor();
  assert.equal(await line.count(), 0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await aside.getByText("1 uncommitted file").waitFor();
  await page.getByRole("button", { name: "Show changes as a tab" }).click();
  await tab(page, "Changes").waitFor();
});

journey("worktrees are listed, unsaved work is shown before removal, and a missing one is created again", {}, async (sandbox) => {
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

  // A worktree with work in it is removed only after its content was shown.
  await line("kept").getByRole("button", { name: "Remove kept" }).click();
  const loss = dialog(page, "Work that would be lost");
  await loss.getByText("notes.txt").waitFor();
  writeFileSync(join(kept.cwd, "later.txt"), "after the look\n");
  await loss.getByRole("button", { name: "Remove anyway" }).click();
  // New content since then: refused, and shown again.
  await loss.getByText("later.txt").waitFor();
  assert.ok(existsSync(join(kept.cwd, "later.txt")));
  await loss.getByRole("button", { name: "Remove anyway" }).click();
  await list.getByText("Branch kept is kept.").waitFor();
  await line("kept").getByRole("button", { name: "Recreate" }).waitFor();
  assert.ok(!existsSync(kept.cwd));

  // Deleted outside the program, it is created again for its session.
  rmSync(lost.cwd, { recursive: true });
  await list.getByRole("button", { name: "Check again" }).click();
  await line("lost").getByRole("button", { name: "Recreate" }).click();
  await waitUntil(() => existsSync(join(lost.cwd, ".git")));
  await line("lost").getByText("clean").waitFor();
});
