// Several agents: they are added and get work, their permission requests are answered, and their work is
// reviewed and merged in order.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey, waitUntil } from "../sandbox.js";
import { atPrompt, tab, toast } from "../actions.js";

const dialog = (page, name) => page.getByRole("dialog", name === undefined ? undefined : { name });
const agents = (page) => page.getByRole("list", { name: "Agents" }).getByRole("listitem");
const ready = (page, id) => page.getByRole("list", { name: "Ready to assign" }).getByRole("listitem").filter({ hasText: id });
const queue = (page) => page.getByRole("list", { name: "Merge queue" });
const queueHead = (page) => page.getByRole("region", { name: "Merge queue" });

/** An instruction to the simulated agent: write this text to a file and commit it. */
const commits = (file, text) => `[[write:${file}:${text}]] [[bash:git add ${file} && git commit -qm ${file}]]`;

/** Lets the fleet use the simulated agent, without permission requests. `more` are further fleet settings. */
async function simulated(sandbox, ...more) {
  for (const [key, ...value] of [["simulated", "on"], ["mode", "bypassPermissions"], ["merge_target", "main"], ...more]) await sandbox.console("fleet", "settings", key, ...value);
}

async function addAgents(page, count) {
  await page.keyboard.press("n");
  const add = dialog(page, "Add agents");
  await add.getByLabel("How many").fill(String(count));
  await add.getByRole("button", { name: /^Add/ }).click();
  await add.waitFor({ state: "detached" });
}

/** Waits until at least `count` agents have no work. */
const allIdle = (page, count) => agents(page).filter({ hasText: "No work assigned" }).nth(count - 1).waitFor();

/** Creates a branch with one commit in a separate worktree, as another user would. */
async function branch(sandbox, name, file, text) {
  const place = join(sandbox.base, "w", name.replaceAll("/", "-"));
  await sandbox.git(sandbox.project, "worktree", "add", "-q", "-b", name, place, "main");
  writeFileSync(join(place, file), text);
  await sandbox.git(place, "add", file);
  await sandbox.git(place, "commit", "-qm", `${file} of ${name}`);
  return place;
}

/** Switches the main tree to another branch, so that main is checked out nowhere. */
const leaveMain = (sandbox) => sandbox.git(sandbox.project, "checkout", "-q", "-b", "mine");

journey("agents are added and assigned; their work is reviewed, commented on and merged", {}, async (sandbox) => {
  const bead = await sandbox.bead("Write a greeting", "--description", commits("hello.txt", "hello"));
  await leaveMain(sandbox);
  await simulated(sandbox, ["merge_check", "test", "-f", "hello.txt"]);
  await sandbox.serve();
  const page = await sandbox.open();
  await tab(page, "Fleet").click();
  await page.getByText("No agents yet").waitFor();
  await addAgents(page, 2);
  await allIdle(page, 2);
  assert.equal(await agents(page).count(), 2);

  // Agents have simple names. The user can rename them; names are unique, and the ID stays.
  const [{ id }] = JSON.parse(await sandbox.console("fleet", "agent", "list", "--json")).agents;
  const named = agents(page).filter({ hasText: id });
  await named.getByRole("button", { name: /^More actions for Agent/ }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  const renamed = dialog(page, /^Rename Agent/);
  const other = (await named.getByText("Agent 1", { exact: true }).count()) > 0 ? "Agent 2" : "Agent 1";
  await renamed.getByLabel("Name").fill(other.toLowerCase());
  await renamed.getByText("Another agent has this name.").waitFor();
  await renamed.getByLabel("Name").fill("Mira");
  await page.keyboard.press("Enter");
  await renamed.waitFor({ state: "detached" });
  await named.getByText("Mira", { exact: true }).waitFor();
  assert.equal(JSON.parse(await sandbox.console("fleet", "agent", "show", id, "--json")).name, "Mira");
  // git ignores the fleet's own files.
  assert.ok(!(await sandbox.git(sandbox.project, "status", "--porcelain")).includes(".chipset"));

  // The keyboard moves through agents and ready beads; a ready bead is assigned.
  await ready(page, bead).getByText("Write a greeting").waitFor();
  for (let i = 0; i < 3; i++) await page.keyboard.press("j");
  await ready(page, bead).getByRole("button", { name: /Write a greeting/ }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("d");
  await toast(page, /Write a greeting.* assigned to/).waitFor();
  const worker = agents(page).filter({ hasText: bead });
  await worker.getByText("Write a greeting").waitFor();
  await worker.getByText(/Your turn/).waitFor();

  // “t” shows the agent's terminal in a pane.
  await page.keyboard.press("t");
  const pane = page.getByRole("region", { name: "Write a greeting" });
  await pane.locator("[data-terminal][aria-busy=false]").waitFor();
  await page.getByRole("radio", { name: "Overview" }).click();

  // The agent submits its bead: its session ends, it is idle again, and its work waits for a review.
  const [{ branch: workBranch }] = sandbox.sessions();
  const subjects = () => sandbox.git(sandbox.project, "log", "--format=%s", workBranch);
  await waitUntil(async () => (await subjects()).startsWith("hello.txt"));
  await sandbox.console("bead", "submit", bead, "--yes");
  await allIdle(page, 2);
  await page.getByRole("button", { name: `Review… ${bead}` }).click();
  const review = dialog(page, `Review of ${bead}`);
  await review.getByText("1 commit", { exact: true }).waitFor();
  await review.getByText("hello", { exact: true }).waitFor();

  // A comment on a line goes to the agent, with file and line.
  await review.getByRole("button", { name: "Comment on line 1, added" }).click();
  await review.getByRole("textbox", { name: "Comment on line 1" }).fill(`Say good day. ${commits("hello.txt", "good day")}`);
  await page.keyboard.press("Control+Enter");
  await review.getByText("1 unsent comment").waitFor();
  await review.getByRole("button", { name: "Request changes…" }).click();
  await review.getByRole("button", { name: "Send to the agent" }).click();
  await review.waitFor({ state: "detached" });
  const greeting = () => sandbox.git(sandbox.project, "show", `${workBranch}:hello.txt`);
  await waitUntil(async () => (await greeting()).includes("good day"));

  // The work is reviewed again, approved, checked and merged, which closes the bead.
  const again = page.getByRole("button", { name: `Review… ${bead}` });
  if (JSON.parse(await sandbox.console("bead", "show", bead, "--json")).bead.status !== "in_review") await sandbox.console("bead", "submit", bead, "--yes");
  await again.click();
  await review.getByText("good day", { exact: true }).waitFor();
  await review.getByRole("button", { name: "Approve and merge" }).click();
  await review.waitFor({ state: "detached" });
  await queue(page).getByRole("listitem").filter({ hasText: "Write a greeting" }).getByText("Merged", { exact: true }).waitFor();
  assert.equal(await sandbox.git(sandbox.project, "show", "main:hello.txt"), "good day");
  await page.getByRole("log", { name: `Log of ${bead}` }).getByText("done").waitFor();
  await waitUntil(async () => JSON.parse(await sandbox.console("bead", "show", bead, "--json")).bead.status === "closed");
  await allIdle(page, 2);
  assert.deepEqual(page.errors, []);
});

journey("a merge conflict is located, set aside, moved and retried; a convoy shows the progress of its beads", { long: true }, async (sandbox) => {
  writeFileSync(join(sandbox.project, "shared.txt"), "one\n");
  await sandbox.git(sandbox.project, "add", "shared.txt");
  await sandbox.git(sandbox.project, "commit", "-qm", "shared");
  const [first, second, third] = [await sandbox.bead("Left"), await sandbox.bead("Right"), await sandbox.bead("Other")];
  await branch(sandbox, "work/left", "shared.txt", "left\n");
  const right = await branch(sandbox, "work/right", "shared.txt", "right\n");
  await branch(sandbox, "work/other", "other.txt", "other\n");
  await leaveMain(sandbox);
  await simulated(sandbox);
  await sandbox.serve();
  const page = await sandbox.open();
  await tab(page, "Fleet").click();
  await page.getByText("Nothing to merge").waitFor();

  await page.keyboard.press("v");
  const convoy = dialog(page, "New convoy");
  await convoy.getByLabel("Name").fill("Both sides");
  for (const id of [first, second]) await checkBox(convoy.getByRole("checkbox", { name: new RegExp(id) }));
  await convoy.getByRole("button", { name: /^Create/ }).click();
  await convoy.waitFor({ state: "detached" });
  const card = page.getByRole("button", { name: /^Both sides/ });
  await card.getByText("0 of 2").waitFor();

  // While the queue is paused, requests keep the order in which they were added until the user moves one.
  await page.getByRole("button", { name: "Pause queue" }).click();
  await queueHead(page).getByRole("button", { name: "Resume" }).waitFor();
  for (const [bead, name] of [[first, "left"], [second, "right"], [third, "other"]]) await sandbox.console("fleet", "queue", "add", bead, "--source", `work/${name}`, "--target", "main");
  const rows = queue(page).getByRole("listitem");
  await rows.nth(2).getByText("Other", { exact: true }).waitFor();
  await rows.nth(2).getByRole("button").first().focus();
  await page.keyboard.press("Alt+ArrowUp");
  await rows.nth(1).getByText("Other", { exact: true }).waitFor();
  await page.keyboard.press("Alt+ArrowDown");
  await rows.nth(2).getByText("Other", { exact: true }).waitFor();

  // The second branch has changed the same line, so its merge has a conflict.
  await queueHead(page).getByRole("button", { name: "Resume" }).click();
  const blocked = page.getByRole("group", { name: `${second} blocks the queue` });
  await blocked.getByText("shared.txt", { exact: true }).waitFor();
  await blocked.getByText("1 conflict", { exact: true }).waitFor();
  await rows.filter({ hasText: "Left" }).getByText("Merged", { exact: true }).waitFor();
  await card.getByText("1 conflicted").waitFor();
  assert.equal(await sandbox.git(sandbox.project, "show", "main:shared.txt"), "left");

  // Skipping the conflict merges the next request. After the conflict is resolved, a retry merges this one.
  await blocked.getByRole("button", { name: `More actions for ${second}` }).click();
  await page.getByRole("menuitem", { name: /^Skip/ }).click();
  await rows.filter({ hasText: "Other" }).getByText("Merged", { exact: true }).waitFor();
  await sandbox.git(right, "reset", "-q", "--hard", "main");
  writeFileSync(join(right, "shared.txt"), "left and right\n");
  await sandbox.git(right, "commit", "-qam", "both");
  const skipped = rows.filter({ hasText: "Right" });
  await skipped.getByRole("button", { name: `More actions for ${second} in the queue` }).click();
  await page.getByRole("menuitem", { name: "Try again" }).click();
  await skipped.getByText("Merged", { exact: true }).waitFor();
  assert.equal(await sandbox.git(sandbox.project, "show", "main:shared.txt"), "left and right");
  await card.waitFor({ state: "detached" });
  assert.deepEqual(page.errors, []);
});

journey("a checked-out target is updated after one answer, which is remembered", { long: true }, async (sandbox) => {
  const [first, second] = [await sandbox.bead("First"), await sandbox.bead("Second")];
  await branch(sandbox, "work/first", "first.txt", "first\n");
  await branch(sandbox, "work/second", "second.txt", "second\n");
  writeFileSync(join(sandbox.project, "mine.txt"), "untracked\n");
  await simulated(sandbox);
  await sandbox.serve();
  const page = await sandbox.open();
  await tab(page, "Fleet").click();
  await page.getByText("Nothing to merge").waitFor();
  await sandbox.console("fleet", "queue", "add", first, "--source", "work/first", "--target", "main");
  const blocked = page.getByRole("group", { name: `${first} blocks the queue` });
  await blocked.getByText(/^Main is checked out in|^main is checked out in/i).waitFor();
  await blocked.getByRole("button", { name: "Update and merge" }).click();
  const rows = queue(page).getByRole("listitem");
  await rows.filter({ hasText: "First" }).getByText("Merged", { exact: true }).waitFor();
  assert.equal(readFileSync(join(sandbox.project, "first.txt"), "utf8"), "first\n");
  assert.equal(readFileSync(join(sandbox.project, "mine.txt"), "utf8"), "untracked\n");
  // For the second bead, the program does not ask again.
  await sandbox.console("fleet", "queue", "add", second, "--source", "work/second", "--target", "main");
  await rows.filter({ hasText: "Second" }).getByText("Merged", { exact: true }).waitFor();
  assert.equal(readFileSync(join(sandbox.project, "second.txt"), "utf8"), "second\n");
  assert.equal((await sandbox.console("fleet", "settings", "merge_checked_out")).trim(), "follow");
  assert.deepEqual(page.errors, []);
});

journey("an agent with the real claude asks for a permission, gets a message, is paused, and its work is released", { needs: ["bd", "claude"] }, async (sandbox) => {
  const bead = await sandbox.bead("Ask before you write", "--description", "[[bash:touch asked]]");
  await sandbox.serve();
  const page = await sandbox.open();
  await tab(page, "Fleet").click();
  await page.getByText("No agents yet").waitFor();
  await addAgents(page, 1);
  await ready(page, bead).getByRole("button", { name: `Assign to… ${bead}` }).click();
  await page.getByRole("menuitem", { name: /^Agent 1/ }).click();
  const worker = agents(page).filter({ hasText: bead });
  // The permission request is answered by keyboard in the agent's row, which shows the exact command.
  const asks = worker.getByRole("group", { name: /wants to run Bash/ });
  await asks.getByText("touch asked", { exact: true }).waitFor();
  await page.keyboard.press("j");
  await worker.getByRole("button", { name: /Ask before you write/ }).and(page.locator(":focus")).waitFor();
  await asks.getByRole("button", { name: "Deny", exact: true }).waitFor();
  await asks.getByRole("button", { name: "Allow once" }).focus();
  await page.keyboard.press("Enter");
  await asks.waitFor({ state: "detached" });
  await worker.getByRole("button", { name: /^More actions for/ }).click();
  await page.getByRole("menuitem", { name: "Open session" }).click();
  await atPrompt(page);
  await worker.getByText(/Your turn/).waitFor();

  await page.getByRole("tab", { name: "Fleet" }).focus();
  await page.keyboard.press("b");
  const message = dialog(page, "Message agents");
  await message.getByLabel("Message", { exact: true }).fill("[[say:Heard by the agent.]]");
  await message.getByRole("button", { name: /^Send/ }).click();
  await dialog(page, "Message sent").getByText("sent", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("log", { name: "Conversation" }).getByText("Heard by the agent.", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Pause all" }).click();
  await dialog(page).getByRole("button", { name: "Pause all" }).click();
  await page.getByText("Everything is paused.").waitFor();
  await worker.getByRole("button", { name: "Resume" }).waitFor();
  await page.getByRole("button", { name: "Resume all" }).click();
  await worker.getByText(/Your turn|Working/).waitFor();
  await worker.getByRole("button", { name: /^More actions for Agent 1/ }).click();
  await page.getByRole("menuitem", { name: /^Release/ }).click();
  // Claude is running, so releasing the bead asks for a confirmation.
  await dialog(page, /^Release .*'s work\?$/).getByRole("button", { name: "Release" }).click();
  await ready(page, bead).waitFor();
  await allIdle(page, 1);
  assert.deepEqual(page.errors, []);
});

/** Checks a checkbox in a list, which ignores clicks while it scrolls. */
const checkBox = (box) =>
  waitUntil(async () => {
    await box.check({ force: true, timeout: 5_000 }).catch(() => {});
    return box.isChecked();
  });
