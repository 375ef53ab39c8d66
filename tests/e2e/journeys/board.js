// Journey: the board, a bead's sheet, a new bead, and changes by another program.

import assert from "node:assert/strict";
import { journey } from "../sandbox.js";
import { card, column, toast } from "../actions.js";

journey("the board shows beads in their columns, and changes by another program", {}, async (sandbox) => {
  const ready = await sandbox.bead("Read the config", "--description", "Some **bold** words.", "-l", "parser", "-p", "1", "-t", "bug");
  const blocked = await sandbox.bead("Write the config", "--deps", ready);
  const taken = await sandbox.bead("Taken by a colleague");
  await sandbox.bd("update", taken, "--claim");
  const done = await sandbox.bead("An old story");
  await sandbox.bd("close", done);

  await sandbox.serve();
  const page = await sandbox.open();
  await column(page, "Ready").getByText("Read the config").waitFor();
  await column(page, "Blocked").getByText("Write the config").waitFor();
  await column(page, "In progress").getByText("Taken by a colleague").waitFor();
  await column(page, "Closed").getByText("An old story").waitFor();
  await card(page, blocked).getByTitle(new RegExp(`Blocked by ${ready}`, "i")).waitFor();
  await card(page, ready).getByTitle(`Unblocks ${blocked}`).waitFor();
  const shown = card(page, ready);
  for (const fact of [shown.getByRole("img", { name: "bug" }), shown.getByText("P1"), shown.getByText("parser")]) await fact.waitFor();
  await card(page, taken).getByRole("img", { name: "Assigned to Tester" }).waitFor();

  // Another process creates a bead, and the page shows it without a reload.
  await page.evaluate(() => (window.sameDocument = true));
  const other = await sandbox.bead("Made elsewhere");
  await card(page, other).waitFor();
  await sandbox.bd("close", ready);
  await column(page, "Ready").getByText("Write the config").waitFor();
  await column(page, "Closed").getByText("Read the config").waitFor();
  assert.equal(await page.evaluate(() => window.sameDocument), true, "the page was loaded again");

  await card(page, ready).getByRole("button", { name: "Read the config" }).click();
  const sheet = page.getByRole("dialog", { name: `Bead ${ready}` });
  await sheet.getByRole("heading", { name: "Read the config" }).waitFor();
  await sheet.getByRole("strong").getByText("bold", { exact: true }).waitFor();
  await sheet.getByRole("heading", { name: /^Unblocks/ }).waitFor();
  await sheet.getByRole("region", { name: "Unblocks" }).getByRole("button", { name: blocked }).first().click();
  await page.getByRole("dialog", { name: `Bead ${blocked}` }).getByRole("heading", { name: /^Blocked by/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  // A key opens the dialog for a new bead, which bd then stores.
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "New bead" });
  await dialog.getByLabel("Title").fill("Made in the browser");
  await dialog.getByLabel("Description").fill("With a *description*.");
  await dialog.getByRole("button", { name: /^Create/ }).click();
  await toast(page, /created$/).waitFor();
  await column(page, "Ready").getByText("Made in the browser").waitFor();
  const listed = await sandbox.bd("list", "--json");
  assert.match(listed, /Made in the browser/);

  await page.keyboard.press("/");
  await page.keyboard.type("browser");
  await page.getByText(/^1 of \d+ beads$/).waitFor();
  await card(page, other).waitFor({ state: "detached" });
  assert.deepEqual(page.errors, []);
});
