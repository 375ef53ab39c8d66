// Journeys: beads are moved on the board by dragging, with keys and with a menu, and bd stores the moves.

import assert from "node:assert/strict";
import { journey, waitUntil } from "../sandbox.js";
import { card, column, toast } from "../actions.js";

const statusOf = async (sandbox, id) => JSON.parse(await sandbox.bd("show", id, "--json"))[0].status;

/** Drags a card to a column, without releasing it. */
async function drag(page, id, name) {
  const from = await card(page, id).boundingBox();
  const to = await column(page, name).boundingBox();
  await page.mouse.move(from.x + 40, from.y + 30);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 40, { steps: 4 });
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
}

journey("beads are moved by dragging, by keys and from a menu", {}, async (sandbox) => {
  const one = await sandbox.bead("Read the config", "-p", "0");
  const two = await sandbox.bead("Write the config", "-p", "1");
  const blocked = await sandbox.bead("Document the config", "--deps", one);
  await sandbox.serve();
  const page = await sandbox.open();
  await card(page, one).waitFor();

  // The target of an invalid move shows the reason, and dropping the card on it changes nothing.
  await drag(page, one, "In review");
  await page.getByText("Needs a commit first").waitFor();
  await page.mouse.up();
  await column(page, "Ready").getByText("Read the config").waitFor();
  // Escape ends a drag, even over a valid column.
  await drag(page, one, "In progress");
  await page.getByText("Move to In progress").first().waitFor();
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await page.getByText("Move to In progress").first().waitFor({ state: "detached" });
  assert.equal(await statusOf(sandbox, one), "open");
  assert.equal(await page.getByRole("dialog").count(), 0, "the drag opened a bead");

  await drag(page, one, "In progress");
  await page.mouse.up();
  await column(page, "In progress").getByText("Read the config").waitFor();
  await toast(page, new RegExp(`^${one} moved to in progress`)).waitFor();
  assert.equal(await statusOf(sandbox, one), "in_progress");

  // Ctrl+Z undoes the move; Shift+L and Shift+H move the bead to the right and back.
  await page.keyboard.press("Control+z");
  await column(page, "Ready").getByText("Read the config").waitFor();
  await toast(page, /^Undone/).waitFor();
  assert.equal(await statusOf(sandbox, one), "open");
  await page.keyboard.press("Shift+L");
  await column(page, "In progress").getByText("Read the config").waitFor();
  await toast(page, new RegExp(`^${one} moved to in progress`)).waitFor();
  await page.keyboard.press("Shift+H");
  await column(page, "Ready").getByText("Read the config").waitFor();
  await toast(page, `${one} moved to open`).waitFor();
  assert.equal(await statusOf(sandbox, one), "open");

  // The card of a blocked bead links to its blocker and cannot be moved to Ready.
  await card(page, blocked).getByRole("button", { name: /Blocked by/ }).click();
  await page.getByRole("dialog", { name: `Bead ${one}` }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await drag(page, blocked, "Ready");
  await page.getByText(`Blocked by ${one}`, { exact: true }).waitFor();
  await page.mouse.up();
  assert.equal(await statusOf(sandbox, blocked), "open");

  // A digit in a card's menu closes the bead with a reason; the program then offers the unblocked bead.
  await card(page, one).click({ button: "right" });
  await page.getByRole("menuitem", { name: /^Closed/ }).waitFor();
  await page.keyboard.press("5");
  const dialog = page.getByRole("dialog", { name: `Close ${one}` });
  await dialog.getByRole("textbox").fill("Done by hand");
  await dialog.getByRole("button", { name: /^Close\b.*↵/ }).click();
  await column(page, "Closed").getByText("Read the config").waitFor();
  await toast(page, `${one} closed`).waitFor();
  const next = page.getByRole("region", { name: "Next bead" });
  await next.getByText(/closed\. Next:/).waitFor();
  await next.getByRole("button", { name: "Dismiss" }).click();
  assert.match(await sandbox.bd("show", one, "--json"), /Done by hand/);

  // Dragging the card back reopens the bead.
  await drag(page, one, "Ready");
  await page.mouse.up();
  await column(page, "Ready").getByText("Read the config").waitFor();
  await toast(page, `${one} reopened`).waitFor();
  assert.equal(await statusOf(sandbox, one), "open");

  // Another program changes the bead while it is dragged: the refusal is shown, and the card moves to the
  // bead's new column.
  await drag(page, two, "In progress");
  await sandbox.bd("update", two, "--status", "closed");
  // While it is dragged, the card is in its column but not visible.
  await column(page, "Closed").getByText("Write the config").waitFor({ state: "attached" });
  await page.mouse.up();
  await toast(page, `${two} cannot move to In progress: Reopen it first`).waitFor();
  await column(page, "Closed").getByText("Write the config").waitFor();
  assert.equal(await statusOf(sandbox, two), "closed");
  assert.deepEqual(page.errors, []);
});

journey("two browsers that drop the same card at once show the same result", { long: true }, async (sandbox) => {
  const id = await sandbox.bead("Read the config");
  await sandbox.serve();
  const one = await sandbox.open();
  const two = await sandbox.open();
  for (const page of [one, two]) await card(page, id).waitFor();

  for (const page of [one, two]) await drag(page, id, "In progress");
  await Promise.all([one.mouse.up(), two.mouse.up()]);
  for (const page of [one, two]) await column(page, "In progress").getByText("Read the config").waitFor();
  await waitUntil(async () => (await statusOf(sandbox, id)) === "in_progress");

  // The other browser moves the bead to the target column first, so the drop changes nothing.
  await drag(two, id, "Ready");
  await sandbox.bd("update", id, "--status", "closed");
  for (const page of [one, two]) await column(page, "Closed").getByText("Read the config").waitFor({ state: "attached" });
  await drag(one, id, "Ready");
  await one.mouse.up();
  await toast(one, `${id} reopened`).waitFor();
  await column(two, "Ready").getByText("Read the config").waitFor({ state: "attached" });
  await two.mouse.up();
  await column(two, "Ready").getByText("Read the config").waitFor();
  await waitUntil(async () => (await statusOf(sandbox, id)) === "open");
  for (const page of [one, two]) assert.deepEqual(page.errors, []);
});

journey("work in review is approved, or goes back with the requested changes", {}, async (sandbox) => {
  const bead = await sandbox.bead("Parse dates");
  await sandbox.bd("update", bead, "--claim");
  await sandbox.serve();
  const page = await sandbox.open();
  await card(page, bead).waitFor();

  // bd has no status for review yet, and there is no commit, so the program asks about both.
  await drag(page, bead, "In review");
  await page.mouse.up();
  await page.getByRole("dialog").getByRole("button", { name: "Add and move" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Submit without a commit" }).click();
  await toast(page, `${bead} moved to in review`).waitFor();
  await column(page, "In review").getByText("Parse dates").waitFor();

  await drag(page, bead, "In progress");
  await page.mouse.up();
  const reject = page.getByRole("dialog", { name: `Request changes on ${bead}` });
  await reject.getByRole("textbox").fill("Leap years, please.");
  await reject.getByRole("button", { name: /^Request changes/ }).click();
  await toast(page, `Changes requested on ${bead}`).waitFor();
  await column(page, "In progress").getByText("Parse dates").waitFor();
  assert.match(await sandbox.bd("show", bead, "--json", "--include-comments"), /Leap years, please\./);

  await drag(page, bead, "In review");
  await page.mouse.up();
  await page.getByRole("dialog").getByRole("button", { name: "Submit without a commit" }).click();
  await toast(page, `${bead} moved to in review`).waitFor();
  await card(page, bead).getByRole("button", { name: `Approve ${bead}` }).click();
  await page.getByRole("dialog", { name: `Approve ${bead}` }).getByRole("button", { name: /^Approve and close/ }).click();
  await toast(page, `${bead} approved and closed`).waitFor();
  await column(page, "Closed").getByText("Parse dates").waitFor();
  assert.equal(await statusOf(sandbox, bead), "closed");
  assert.deepEqual(page.errors, []);
});
