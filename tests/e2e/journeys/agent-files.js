// Agent instructions for beads: previewed, written, used by claude, and removed without a trace.

import assert from "node:assert/strict";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey, programs } from "../sandbox.js";
import { atPrompt, chat, chatText, command, newSession, tab } from "../actions.js";

journey("instructed agents remember without being asked, and the instructions are removed without a trace", { needs: ["bd", "claude"] }, async (sandbox) => {
  symlinkSync(join(programs, "beads-console"), join(sandbox.base, "bin", "beads-console"));
  const own = "# How we work\n\nTests first.\n";
  const [section, rules] = ["CLAUDE.md", ".claude/settings.json"].map((path) => join(sandbox.project, path));
  writeFileSync(section, own);
  await sandbox.serve();
  const page = await sandbox.open();
  await command(page, "teach agents");
  const dialog = page.getByRole("dialog", { name: "Teach agents about beads" });
  await dialog.getByRole("heading", { name: "Changes", exact: true }).waitFor();
  await dialog.getByRole("checkbox", { name: /Permission rules/ }).check({ force: true });
  await dialog.getByRole("button", { name: /settings\.json/ }).click();
  await dialog.getByLabel("Changes in .claude/settings.json").getByText(/^\+.*beads-console remember/).first().waitFor();
  assert.equal(readFileSync(section, "utf8"), own, "the preview changed the file");
  await dialog.getByRole("button", { name: "Install" }).click();
  await dialog.getByText(/^Written: /).waitFor();
  await dialog.getByRole("heading", { name: "No changes" }).waitFor();
  assert.ok(readFileSync(section, "utf8").startsWith(own));
  assert.match(readFileSync(rules, "utf8"), /beads-console remember/);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  // Claude can remember without a permission request.
  await newSession(page, { title: "Taught", objective: '[[bash:beads-console remember -- "The tests need port 8080 free."]]' });
  await chatText(page, "Done: the tools ran.").first().waitFor();
  await atPrompt(page);
  assert.equal(await chat(page).getByRole("region", { name: /wants to run/ }).count(), 0);
  await tab(page, "Memory").click();
  await page.getByRole("list", { name: "Memories" }).getByText("The tests need port 8080 free").first().waitFor();

  await command(page, "teach agents");
  await dialog.getByText("Installed", { exact: true }).first().waitFor();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await dialog.getByText(/^Removed from: /).waitFor();
  assert.equal(readFileSync(section, "utf8"), own);
  assert.equal(existsSync(rules), false);
  assert.equal(await sandbox.git(sandbox.project, "status", "--porcelain"), "?? CLAUDE.md");
  assert.deepEqual(page.errors, []);
});
