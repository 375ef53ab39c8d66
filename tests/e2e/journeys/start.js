// Journey: Start Work with its options, and a session without a bead and without options.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey, waitUntil } from "../sandbox.js";
import { atPrompt, card, chat, chatText, column, newSession, panel, tab } from "../actions.js";

journey("work is started with an agent, a mode, a worktree and a context pack", { needs: ["bd", "claude"] }, async (sandbox) => {
  const { project } = sandbox;
  mkdirSync(join(project, ".claude", "agents"), { recursive: true });
  const prompt = "---\nname: reviewer\ndescription: Reads a change and says what is wrong.\n---\nYou review.\n";
  writeFileSync(join(project, ".claude", "agents", "reviewer.md"), prompt);
  mkdirSync(join(project, "src"));
  writeFileSync(join(project, "src", "greeting.txt"), "hello\n");
  writeFileSync(join(project, "src", "added.txt"), "chosen by hand\n");
  writeFileSync(join(project, "CLAUDE.md"), "Be brief.\n");
  await sandbox.git(project, "add", "CLAUDE.md", "src");
  await sandbox.git(project, "commit", "-qm", "conventions");
  const id = await sandbox.bead("Review the greeting", "--description", "It is in `src/greeting.txt`.", "-t", "bug", "-p", "1");
  await sandbox.serve();
  const context = await sandbox.visitor();
  await context.clock.install();
  const page = await sandbox.open(context);

  await card(page, id).getByRole("button", { name: /^Start work/i }).first().click();
  const dialog = page.getByRole("dialog", { name: "Review the greeting" });
  await dialog.getByText("The branch name is available.").waitFor();
  const branch = await dialog.getByLabel("Branch").inputValue();
  assert.match(branch, /^fix\/.*review-the-greeting$/);
  assert.equal(await dialog.getByLabel("Objective").inputValue(), "Review the greeting");
  await dialog.getByText("First prompt").click();
  await dialog.getByText(`Work on the bead ${id}`).waitFor();
  await dialog.getByRole("radio", { name: /^reviewer/ }).click();
  // The context pack is previewed before it is sent: a piece is read, another removed, and a file added.
  assert.equal(await dialog.getByRole("radio", { name: "10k" }).isChecked(), true);
  const pieces = dialog.getByRole("list", { name: "Pieces of the context pack" });
  await pieces.getByText("The bead names it", { exact: false }).waitFor();
  await pieces.getByRole("button", { name: /^src\/greeting\.txt/, expanded: false }).click();
  await pieces.getByText("hello", { exact: true }).waitFor();
  await pieces.getByRole("checkbox", { name: "Include Recent commits" }).uncheck();
  await dialog.getByLabel("Add a file").fill("../outside.txt");
  await page.keyboard.press("Enter");
  await dialog.getByText("../outside.txt is outside the repository", { exact: false }).waitFor();
  await dialog.getByLabel("Add a file").fill("src/added.txt");
  await page.keyboard.press("Enter");
  await pieces.getByText("src/added.txt").waitFor();

  // Bypass asks for confirmation; then a stricter mode is chosen.
  const choose = async (label, name) => {
    await dialog.getByRole("button", { name: new RegExp(`^${label}: `) }).click();
    await page.getByRole("menuitem", { name: new RegExp(`^${name}`) }).click();
  };
  const start = dialog.getByRole("button", { name: "Start Work" });
  await choose("Permission mode", "Bypass");
  await dialog.getByText("Bypass never asks.").waitFor();
  assert.equal(await start.isDisabled(), true);
  await choose("Permission mode", "Accept edits");
  await choose("Folder", "Own worktree");
  await dialog.getByText("Works in its own worktree. Your checkout is not touched.").waitFor();
  await dialog.getByLabel("Objective").fill("Review it [[write:note.txt:looks good]]");
  await start.click();
  await dialog.waitFor({ state: "detached" });

  // Claude works in its own worktree, and does not ask before it edits.
  await column(page, "In progress").getByText("Review the greeting").waitFor();
  await chatText(page, "Done: the tools ran.").waitFor();
  const [session] = await sandbox.sessions();
  assert.deepEqual([session.agent_id, session.mode, session.worktree, session.branch], ["reviewer", "acceptEdits", true, branch]);
  assert.equal(readFileSync(join(session.cwd, "note.txt"), "utf8").trim(), "looks good");
  assert.equal(existsSync(join(project, "note.txt")), false);
  assert.equal(await sandbox.git(project, "branch", "--show-current"), "main");
  assert.equal(await sandbox.git(session.cwd, "branch", "--show-current"), branch);
  const pack = JSON.parse(readFileSync(join(session.folder, "context.json"), "utf8"));
  // Claude reads CLAUDE.md itself, so it is not in the pack.
  assert.deepEqual([...pack.docs, ...pack.files, ...pack.config].map(({ path }) => path).sort(), ["README.md", "src/added.txt", "src/greeting.txt"]);
  assert.deepEqual([pack.commits ?? [], pack.generation_method], [[], "manual"]);

  // The bar shows state, live time, bead, agent, branch and tokens.
  const bar = panel(page);
  await bar.getByRole("heading", { name: "Review the greeting" }).waitFor();
  await bar.getByText("Your turn", { exact: true }).waitFor();
  // The page's clock is moved repeatedly, because an update from the server can reset the shown time.
  for (const place of [bar.getByTitle("Active time, excluding pauses"), page.getByRole("region", { name: "Sessions" })]) {
    await waitUntil(async () => {
      await context.clock.fastForward("07:00");
      return place.getByText(/^([7-9]|[1-5]\d)m$/).first().waitFor({ timeout: 3_000 }).then(() => true, () => false);
    });
  }
  await bar.getByTitle("Agent", { exact: true }).getByText("reviewer").waitFor();
  await bar.getByTitle(session.cwd).getByText(branch).waitFor();
  await bar.getByText(/^\d+ tok$/).waitFor();
  await chat(page).getByText("Accept edits").waitFor();
  await bar.getByRole("button", { name: id, exact: true }).click();
  const sheet = page.getByRole("dialog", { name: `Bead ${id}` });
  await sheet.getByRole("heading", { name: /^Sessions/ }).waitFor();
  await sheet.getByRole("button", { name: /Review the greeting.*Your turn/s }).waitFor();
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  assert.match(await sandbox.bd("show", id, "--json"), /"status": ?"in_progress"/);
  // The card shows that an agent works on the bead.
  await card(page, id).getByRole("img", { name: "An agent is working on it" }).waitFor();
  await card(page, id).getByRole("button", { name: /^Your turn, open the session$/ }).waitFor();
  assert.deepEqual(page.errors, []);
});

journey("a session without a bead needs no input, and can be linked to a bead", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("Something to link");
  await sandbox.serve();
  const page = await sandbox.open();
  await card(page, id).waitFor();
  await newSession(page);
  await panel(page).getByRole("heading", { name: "Untitled session" }).waitFor();
  await atPrompt(page);
  await tab(page, "Chat").click();
  await page.getByRole("textbox", { name: "Message to claude" }).fill("The first words name it");
  await page.keyboard.press("Enter");
  await chatText(page, "Reply to: The first words name it").waitFor();
  await panel(page).getByRole("heading", { name: "The first words name it" }).waitFor();

  await page.keyboard.press("Alt+n");
  const dialog = page.getByRole("dialog", { name: "New session" });
  await dialog.getByLabel("Title").fill("Linked");
  await dialog.getByLabel("Bead").pressSequentially("to link");
  await page.getByRole("option", { name: /Something to link/ }).click();
  await dialog.getByRole("button", { name: `Remove link to ${id}` }).waitFor();
  await dialog.getByRole("button", { name: /^Start/ }).click();
  await dialog.waitFor({ state: "detached" });
  await panel(page).getByRole("heading", { name: "Linked" }).waitFor();
  await panel(page).getByRole("button", { name: id, exact: true }).waitFor();

  // Alt and a number select a session of the list.
  await page.keyboard.press("Alt+2");
  await panel(page).getByRole("heading", { name: "The first words name it" }).waitFor();
  await page.keyboard.press("Alt+1");
  await panel(page).getByRole("heading", { name: "Linked" }).waitFor();
  assert.deepEqual(page.errors, []);
});
