// The Context tab: the texts that claude received at the start and after a compaction. Also the comments that
// the session leaves on its bead.

import assert from "node:assert/strict";
import { journey } from "../sandbox.js";
import { atPrompt, chatText, panel, sendPrompt, startWork, tab } from "../actions.js";

const needs = ["bd", "claude"];
const context = (page) => page.getByRole("tabpanel", { name: "Context" });
const round = (page, name) => context(page).getByRole("region", { name });

journey("the Context tab shows exactly what claude was given, and the bead shows the checkpoint trail", { needs }, async (sandbox) => {
  const bead = await sandbox.bead("Implement parser");
  await sandbox.serve();
  const page = await sandbox.open();
  await startWork(page, bead, { objective: "[[say:Begun.]]" });
  await chatText(page, "Begun.").first().waitFor();
  await atPrompt(page);

  await tab(page, "Context").click();
  const start = round(page, /^The conversation started/);
  const block = start.getByLabel("Recovery block, as sent to Claude");
  await block.getByText(`## Resuming: ${bead} — Implement parser`).waitFor();
  const size = /([\d,]+) bytes/.exec(await start.getByRole("button", { name: /Recovery block/ }).innerText());
  assert.equal(Number(size[1].replace(",", "")), Buffer.byteLength(await block.textContent()));
  await start.getByRole("button", { name: /Recovery block/ }).click();
  await block.waitFor({ state: "detached" });

  // After a compaction, the new block comes first and is expanded. It contains the session's last comment.
  await tab(page, "Chat").click();
  await sendPrompt(page, "/compact");
  await tab(page, "Context").click();
  const compacted = round(page, /^The conversation was compacted/);
  const fresh = compacted.getByText(/checkpoint: before a compaction, 1 turn since the last comment/);
  // Claude waits for its block only for a limited time. If bd was slower, claude got the previous block, and the UI
  // says so.
  const late = compacted.getByText("Outdated");
  await fresh.or(late).first().waitFor();
  if ((await late.count()) > 0) return void (await page.getByText(/did not end within/).first().waitFor());
  assert.ok((await context(page).getByRole("region").nth(1).getAttribute("aria-label")).startsWith("The conversation was compacted"));
  assert.equal(await panel(page).getByRole("tab", { selected: true }).innerText(), "Context");

  // The bead shows the comment, too.
  await panel(page).getByRole("button", { name: bead, exact: true }).click();
  await page.getByRole("dialog").getByText(/^checkpoint: before a compaction/).first().waitFor();
});
