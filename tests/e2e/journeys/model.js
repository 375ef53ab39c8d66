// The permission mode, the model and the effort are changed below the composer, with claude's own commands, in the
// middle of a conversation.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { journey, waitUntil } from "../sandbox.js";
import { atPrompt, chat, chatText, composer, newSession, panel, screen, sendPrompt, tab, terminal } from "../actions.js";

journey("model, effort and permission mode are changed in the middle of a conversation", { needs: ["bd", "claude"] }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  await newSession(page, { title: "Models", objective: "[[say:Here.]]" });
  await chatText(page, "Here.").first().waitFor();
  await atPrompt(page);

  // Plan mode is not used, because in it claude replaces Haiku with Sonnet.
  await panel(page).getByRole("button", { name: "Permission mode: Manual" }).click();
  await page.getByRole("menuitem", { name: /^Accept edits/ }).click();
  await panel(page).getByRole("button", { name: "Permission mode: Accept edits" }).waitFor();
  await atPrompt(page);

  const model = (name) => panel(page).getByRole("button", { name });
  await model(/^Model: (?!unknown)/).waitFor();
  assert.equal(await model(/^Model: .*Haiku/).count(), 0);

  // During a conversation, claude asks in its terminal before it switches the model. The chat has a link.
  await model(/^Model: /).click();
  await page.getByRole("menuitem", { name: /^Haiku/ }).click();
  const asks = page.getByRole("region", { name: "Needs you", exact: true }).filter({ hasText: "A dialog is open in the terminal." });
  await asks.getByRole("button", { name: /^Open the terminal/ }).click();
  await screen(page).getByText(/Switch model\?/).waitFor();
  await terminal(page).locator("[data-terminal]").press("Enter");
  await tab(page, "Chat").click();
  await model(/^Model: .*Haiku/).waitFor();
  await atPrompt(page);
  await sendPrompt(page, "which one?");
  await chatText(page, "Reply to: which one?").waitFor();
  await waitUntil(() => /haiku/.test(modelOf(sandbox, "Reply to: which one?")));
  await atPrompt(page);

  // Opus, unlike Haiku, supports effort levels. Changing the effort shows no dialog.
  await model(/^Model: .*Haiku/).click();
  await page.getByRole("menuitem", { name: /^Opus/ }).click();
  await asks.getByRole("button", { name: /^Open the terminal/ }).click();
  await screen(page).getByText(/Switch model\?/).waitFor();
  await terminal(page).locator("[data-terminal]").press("Enter");
  await tab(page, "Chat").click();
  await model(/^Model: .*Opus/).waitFor();
  await atPrompt(page);
  await model(/^Model: .*Opus/).click();
  await page.getByRole("menuitem", { name: "High", exact: true }).click();
  await chat(page).getByText(/effort.*high/i).first().waitFor();
  await tab(page, "Terminal").click();
  await screen(page).getByText(/high · \/effort/).first().waitFor();
  await tab(page, "Chat").click();

  await atPrompt(page);
  await sendPrompt(page, "and now?");
  await chatText(page, "Reply to: and now?").waitFor();
  await waitUntil(() => /opus/.test(modelOf(sandbox, "Reply to: and now?")));
  assert.equal(await composer(page).inputValue(), "");
  assert.deepEqual(page.errors, []);
});

/** The model that wrote this answer, according to claude's own transcript; empty if there is none yet. */
function modelOf(sandbox, answer) {
  const folder = join(sandbox.env.CLAUDE_CONFIG_DIR, "projects");
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".jsonl"));
  const lines = files.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").filter((line) => line.includes(answer)));
  return lines.map((line) => JSON.parse(line)).find(({ type }) => type === "assistant")?.message.model ?? "";
}
