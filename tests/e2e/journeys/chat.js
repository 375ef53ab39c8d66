// The chat with claude: stopped turns, permission modes and rules, completions in the composer, and claude's
// question before it starts.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey } from "../sandbox.js";
import { atPrompt, chat, chatText, composer, newSession, panel, screen, sendPrompt, tab, terminal } from "../actions.js";

const needs = ["bd", "claude"];

journey("a turn stopped before its first word returns its text, and the next prompt is sent alone", { needs }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  await newSession(page, { title: "Stopped", objective: "[[say:Here.]]" });
  await chatText(page, "Here.").first().waitFor();
  await atPrompt(page);

  await sendPrompt(page, "[[hang]] first try");
  const stop = panel(page).getByRole("button", { name: /^Stop/ });
  await stop.waitFor();
  await chat(page).getByText(/^Working/).waitFor();
  await stop.click();
  await chat(page).getByText("Stopped before Claude replied").first().waitFor();
  await page.waitForFunction(() => document.querySelector("textarea[id$='-text']")?.value === "[[hang]] first try");
  await atPrompt(page);
  assert.equal(await chat(page).getByText(/^Working/).count(), 0);

  await sendPrompt(page, "second try");
  await chatText(page, "Reply to: second try").waitFor();

  // After a stop in the terminal, the text stays in claude's input box until the chat sends another message.
  await atPrompt(page);
  await sendPrompt(page, "[[hang]] by hand");
  await stop.waitFor();
  await tab(page, "Terminal").click();
  await screen(page).getByText(/esc to interrupt/).waitFor();
  await terminal(page).locator("[data-terminal]").press("Escape");
  await tab(page, "Chat").click();
  await atPrompt(page);
  await sendPrompt(page, "third try");
  await chatText(page, "Reply to: third try").waitFor();
  const edit = chat(page).getByRole("button", { name: "Edit", exact: true });
  await edit.click();
  assert.equal(await composer(page).inputValue(), "[[hang]] by hand");
  await edit.waitFor({ state: "detached" });
});

journey("the permission mode follows claude, and a tool that is always allowed is not asked for again", { needs }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  await newSession(page, { title: "Modes", objective: "[[bash:curl -s http://127.0.0.1:9/]]" });
  const card = chat(page).getByRole("region", { name: /wants to run Bash/ });
  await card.getByRole("button", { name: /^Always…/ }).click();
  await card.getByText("Bash(curl -s http://127.0.0.1:9/)").waitFor();
  await card.getByText("in this project, for you").waitFor();
  await card.getByRole("button", { name: "Always allow" }).click();
  await chatText(page, "Done: the tools ran.").first().waitFor();
  await atPrompt(page);
  const settings = readFileSync(join(sandbox.project, ".claude", "settings.local.json"), "utf8");
  assert.match(settings, /Bash\(curl -s http:\/\/127\.0\.0\.1:9\/\)/);
  await sendPrompt(page, "[[bash:curl -s http://127.0.0.1:9/]]");
  await chatText(page, "Done: the tools ran.").nth(1).waitFor();
  assert.equal(await card.count(), 0);

  // Shift+Tab changes the mode in the composer and in claude's own terminal.
  await atPrompt(page);
  const mode = (name) => panel(page).getByRole("button", { name: `Permission mode: ${name}` });
  await mode("Manual").waitFor();
  await composer(page).press("Shift+Tab");
  await mode("Accept edits").waitFor();
  await composer(page).press("Shift+Tab");
  await mode("Plan").waitFor();
  await tab(page, "Terminal").click();
  await screen(page).getByText(/plan mode on/).waitFor();
  await terminal(page).locator("[data-terminal]").press("Shift+Tab");
  await tab(page, "Chat").click();
  await mode("Auto").waitFor();
  // Waits, because a key in the terminal can open a dialog of claude.
  await atPrompt(page);
  await mode("Auto").click();
  await page.getByRole("menuitem", { name: /^Accept edits/ }).click();
  await mode("Accept edits").waitFor();

  // Bypass asks for confirmation.
  await mode("Accept edits").click();
  await page.getByRole("menuitem", { name: /^Bypass/ }).click();
  await page.getByRole("dialog", { name: "Switch to Bypass mode?" }).getByRole("button", { name: "Cancel" }).click();
  await mode("Accept edits").waitFor();

  // A resumed session starts in its last mode.
  await panel(page).getByRole("button", { name: "Pause" }).click();
  await panel(page).getByRole("button", { name: "Resume" }).first().click();
  await atPrompt(page);
  await tab(page, "Terminal").click();
  await screen(page).getByText(/accept edits on/).waitFor();
  assert.deepEqual(page.errors, []);
});

journey("commands and files are completed in the composer", { needs }, async (sandbox) => {
  mkdirSync(join(sandbox.project, ".claude", "commands"), { recursive: true });
  writeFileSync(join(sandbox.project, ".claude", "commands", "fix.md"), "---\ndescription: Fix it as we do\n---\nReply with the word fixed.\n");
  mkdirSync(join(sandbox.project, "src"));
  writeFileSync(join(sandbox.project, "src", "login.rs"), "// here\n");
  await sandbox.serve();
  const page = await sandbox.open();
  await newSession(page, { title: "Completed", objective: "[[say:Here.]]" });
  await chatText(page, "Here.").first().waitFor();
  await atPrompt(page);

  const list = panel(page).getByRole("listbox", { name: "Completions" });
  await composer(page).pressSequentially("/fi");
  await list.getByRole("option", { name: "/fix Fix it as we do" }).waitFor();
  await composer(page).press("Escape");
  await list.waitFor({ state: "detached" });
  await composer(page).fill("");
  await composer(page).pressSequentially("say @logi");
  await list.getByRole("option", { name: "@src/login.rs" }).waitFor();
  await composer(page).press("Enter");
  assert.equal(await composer(page).inputValue(), "say @src/login.rs ");
  await list.waitFor({ state: "detached" });
  await composer(page).press("Enter");
  await chatText(page, "Reply to: say @src/login.rs").waitFor();
  assert.deepEqual(page.errors, []);
});

journey("claude's trust question before its start is shown, with a button that opens the terminal", { needs, long: true }, async (sandbox) => {
  const own = join(sandbox.env.CLAUDE_CONFIG_DIR, ".claude.json");
  writeFileSync(own, JSON.stringify({ ...JSON.parse(readFileSync(own, "utf8")), projects: {} }));
  await sandbox.serve();
  const page = await sandbox.open();
  await newSession(page, { title: "Untrusted", objective: "[[say:Here.]]" });
  await chat(page).getByText("Claude asks a question in the terminal before it starts.").waitFor();
  assert.equal(await chat(page).getByText("Starting Claude").count(), 0);
  await page.getByRole("region", { name: "Needs you" }).first().waitFor();
  await chat(page).getByRole("button", { name: "Open the terminal" }).click();
  await screen(page).getByText(/trust/i).first().waitFor();
  // Moves from "No, exit" to "Yes".
  await terminal(page).locator("[data-terminal]").press("ArrowUp");
  await terminal(page).locator("[data-terminal]").press("Enter");
  await tab(page, "Chat").click();
  await chatText(page, "Here.").first().waitFor();
  await chat(page).getByText("Claude asks a question in the terminal before it starts.").waitFor({ state: "detached" });
});

journey("a half-written reason survives a change of the window's layout", { needs, long: true }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  await newSession(page, { title: "Refused", objective: "[[write:made.txt:x]]" });
  await chat(page).getByRole("button", { name: /^Deny…/ }).click();
  const reason = page.getByRole("textbox", { name: "Reason" });
  await reason.fill("not this file, but");
  await page.setViewportSize({ width: 800, height: 600 });
  await page.getByRole("button", { name: "Board" }).first().waitFor();
  assert.equal(await reason.inputValue(), "not this file, but");
  await page.setViewportSize({ width: 1280, height: 800 });
  assert.equal(await reason.inputValue(), "not this file, but");
  await reason.fill("not this file, but the other");
  await reason.press("Enter");
  await chatText(page, "Done: the tools ran.").first().waitFor();
  assert.deepEqual(page.errors, []);
});
