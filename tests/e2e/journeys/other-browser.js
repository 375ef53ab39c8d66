// Access and layout in another browser and at another address; also the review before a session is resumed.

import assert from "node:assert/strict";
import { freePort } from "../environment.js";
import { journey } from "../sandbox.js";
import { atPrompt, card, chatText, panel, startWork, tab } from "../actions.js";

const dialog = (page) => page.getByRole("dialog");

journey("a link for another browser is made in the window and works once", {}, async (sandbox) => {
  const id = await sandbox.bead("Seen twice");
  await sandbox.serve();
  const page = await sandbox.open();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("another browser");
  await page.keyboard.press("Enter");
  const field = dialog(page).getByRole("textbox", { name: "Link" });
  await page.waitForFunction((input) => input.value !== "", await field.elementHandle());
  const link = await field.inputValue();
  assert.equal(new URL(link).origin, sandbox.origin);

  const other = await (await sandbox.visitor()).newPage();
  await other.goto(link);
  await card(other, id).waitFor();
  await page.keyboard.press("Escape");
  await card(page, id).waitFor();

  const late = await (await sandbox.visitor()).newPage();
  await late.goto(link);
  await late.getByText("This link no longer works").waitFor();
  await late.getByText("beads-console serve --link", { exact: true }).waitFor();
});

journey("the layout is the same at the next address, in another browser", { needs: ["bd", "claude"], long: true }, async (sandbox) => {
  const id = await sandbox.bead("Laid out");
  await sandbox.serve();
  const page = await sandbox.open();
  await startWork(page, id, { objective: "[[say:here]]" });
  await chatText(page, "here").waitFor();
  await tab(page, "Terminal").click();
  await tab(page, "History").click();
  await page.evaluate(async () => {
    for (;;) {
      const answer = await fetch("/rpc/app.projects", { method: "POST", headers: { "content-type": "application/json", authorization: `Bearer ${sessionStorage.getItem("access")}` }, body: "{}" });
      const { view, terminal } = (await answer.json()).projects[0].layout ?? {};
      if (view === "history" && terminal) return;
    }
  });
  const first = sandbox.origin;
  await sandbox.killServer();

  await sandbox.serve("--port", String(await freePort()));
  assert.notEqual(sandbox.origin, first);
  const next = await sandbox.open();
  await panel(next).getByRole("heading", { name: "Laid out" }).waitFor();
  for (const name of ["History", "Terminal"]) assert.equal(await tab(next, name).getAttribute("aria-selected"), "true", name);
});

journey("a session is resumed after a review of the changes, with another prompt", { needs: ["bd", "claude"], long: true }, async (sandbox) => {
  const id = await sandbox.bead("Continue this");
  await sandbox.serve();
  const page = await sandbox.open();
  await startWork(page, id, { objective: "[[say:begun]]" });
  await chatText(page, "begun").waitFor();
  await atPrompt(page);
  await panel(page).getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume options" }).click();
  await page.getByRole("menuitem", { name: "Review changes and resume…" }).click();
  const prompt = dialog(page).getByLabel("Prompt");
  await prompt.waitFor();
  assert.match(await prompt.inputValue(), /resuming a paused session/);
  await prompt.fill("[[say:gone on as it was edited]]");
  await dialog(page).getByRole("button", { name: "Resume" }).click();
  await dialog(page).waitFor({ state: "detached" });
  await chatText(page, "gone on as it was edited").waitFor();

  // The bead is closed while the session is paused, so Resume asks first.
  await atPrompt(page);
  await panel(page).getByRole("button", { name: "Pause" }).click();
  const resume = panel(page).getByRole("button", { name: "Resume", exact: true }).first();
  await resume.waitFor();
  await sandbox.bd("close", id, "--force");
  await resume.click();
  const anyway = dialog(page).getByRole("radio", { name: /^Resume anyway/ });
  await anyway.click();
  await dialog(page).getByLabel("Prompt").fill("[[say:resumed anyway]]");
  await dialog(page).getByRole("button", { name: "Resume" }).click();
  await chatText(page, "resumed anyway").waitFor();
});
