// Journey: the views of the beads: the query line, the list, the graph, saved views, and a partly refused
// bulk change.

import assert from "node:assert/strict";
import { journey, waitUntil } from "../sandbox.js";
import { toast } from "../actions.js";

const view = (page, name) => page.getByRole("radio", { name, exact: true }).click();
const row = (page, id) => page.getByRole("row").filter({ has: page.getByRole("checkbox", { name: `Select ${id}`, exact: true }) });
const bar = (page) => page.getByRole("toolbar", { name: "Selected beads" });
const query = (page) => page.getByRole("textbox", { name: "Filter beads" });

journey("beads are found, changed together, and shown as list, graph and saved view", {}, async (sandbox) => {
  const first = await sandbox.bead("Read the config", "-l", "parser", "-p", "1", "-t", "bug");
  const second = await sandbox.bead("Write the config", "--deps", first, "-l", "parser");
  const third = await sandbox.bead("Sign the config", "--deps", second);
  const alone = await sandbox.bead("Paint the shed");

  await sandbox.serve();
  const page = await sandbox.open();
  await view(page, "List");
  for (const id of [first, second, third, alone]) await row(page, id).waitFor();

  // The query line completes fields and values.
  await page.keyboard.press("/");
  await page.keyboard.type("la");
  await page.getByRole("option", { name: /^label:/ }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type("par");
  await page.getByRole("option", { name: /^parser/ }).waitFor();
  await page.keyboard.press("Tab");
  await page.getByText(/^2 of 4 beads$/).waitFor();
  await row(page, alone).waitFor({ state: "detached" });

  // The query is saved as a view, which a second browser also shows.
  await page.getByRole("button", { name: "Save view…" }).last().click();
  const dialog = page.getByRole("dialog", { name: "Saved views" });
  await dialog.getByLabel("Save the current view as").fill("Parser");
  await page.keyboard.press("Enter");
  await toast(page, /Saved “Parser”/).waitFor();
  await query(page).fill("");
  await row(page, alone).waitFor();
  const other = await sandbox.open();
  await other.getByRole("group", { name: "Saved views" }).getByRole("button", { name: /^Parser/ }).click();
  await other.getByText(/^2 of 4 beads$/).waitFor();
  await other.close();

  // A title and a priority are edited in place and stored in bd.
  await row(page, alone).getByRole("button", { name: "Paint the shed" }).focus();
  await page.keyboard.press("e");
  await page.getByRole("textbox", { name: `Title of ${alone}` }).fill("Paint the barn");
  await page.keyboard.press("Enter");
  await row(page, alone).getByText("Paint the barn").waitFor();
  await row(page, alone).getByRole("button", { name: "P2" }).click();
  await page.getByRole("option", { name: /^P0/ }).click();
  await row(page, alone).getByText("P0").waitFor();
  await waitUntil(async () => /Paint the barn/.test(await sandbox.bd("show", alone, "--json")));

  // bd refuses to close a blocked bead; the other beads are closed.
  for (const id of [second, alone]) await row(page, id).getByRole("checkbox").check({ force: true });
  await bar(page).getByText("2 beads selected").waitFor();
  await bar(page).getByRole("button", { name: "Close…" }).click();
  await page.getByRole("option", { name: "Done" }).click();
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("Closed: 1 of 2 beads, 1 refused").waitFor();
  await result.getByRole("button", { name: second }).waitFor();
  await row(page, alone).getByText("Closed").waitFor();
  assert.match(await sandbox.bd("show", alone, "--json"), /"closed"/);

  // Once the blocker is closed by another program, the bead can be closed.
  await sandbox.bd("close", first);
  await row(page, first).getByText("Closed").waitFor();
  await result.getByRole("button", { name: "Try 1 bead again" }).click();
  await row(page, second).getByText("Closed").waitFor();
  await page.keyboard.press("Escape");

  // The graph shows a bead's dependencies and opens the bead.
  await sandbox.bd("reopen", first);
  await sandbox.bd("reopen", second);
  await view(page, "Graph");
  const bead = page.getByRole("button", { name: new RegExp(`Write the config ${second} `) });
  await bead.click();
  const card = page.getByRole("complementary", { name: `Bead ${second}` });
  await card.getByRole("button", { name: /Read the config/ }).waitFor();
  await card.getByRole("button", { name: /Sign the config/ }).waitFor();
  await card.getByText(/critical path, step 2 of 3/).waitFor();
  await card.getByRole("button", { name: "Open bead" }).click();
  await page.getByRole("dialog", { name: `Bead ${second}` }).waitFor();
  assert.deepEqual(page.errors, []);
});
