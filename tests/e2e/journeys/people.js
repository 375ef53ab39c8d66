// Two people with their own links: the access of one is revoked, and the other keeps working.

import assert from "node:assert/strict";
import { journey, waitUntil } from "../sandbox.js";
import { card, command } from "../actions.js";

const dialog = (page) => page.getByRole("dialog");
const person = (page, name) => dialog(page).getByRole("listitem", { name, exact: true });

/** Opens a link in a separate browser. */
async function enter(sandbox, link) {
  const page = await (await sandbox.visitor()).newPage();
  await page.goto(link);
  await page.getByRole("tab", { name: "Board" }).waitFor();
  return page;
}

async function create(page, title) {
  await page.keyboard.press("c");
  await dialog(page).getByLabel("Title").fill(title);
  await dialog(page).getByRole("button", { name: /^Create/ }).click();
  await dialog(page).waitFor({ state: "detached" });
}

journey("two people work under their own names; one sees that their access is revoked, and the other keeps working", {}, async (sandbox) => {
  const id = await sandbox.bead("Seen by all");
  await sandbox.serve();
  const owner = await sandbox.open();
  await owner.getByRole("button", { name: "Settings" }).click();
  await dialog(owner).getByRole("button", { name: "Manage access…" }).click();
  const links = {};
  for (const name of ["Ana", "Ben"]) {
    await dialog(owner).getByRole("textbox", { name: "Name" }).fill(name);
    await dialog(owner).getByRole("button", { name: "Create link" }).click();
    await dialog(owner).getByText(`Give this link to ${name}.`).waitFor();
    await person(owner, name).getByText("Link not used").waitFor();
    links[name] = await dialog(owner).getByRole("textbox", { name: "Link" }).inputValue();
  }
  const ana = await enter(sandbox, links.Ana);
  const ben = await enter(sandbox, links.Ben);
  for (const name of ["Ana", "Ben"]) await person(owner, name).getByText("Connected", { exact: true }).waitFor();

  // The tracker records each new bead under its creator's name.
  await create(ana, "Made by Ana");
  await create(ben, "Made by Ben");
  for (const name of ["Ana", "Ben"]) {
    await owner.getByText(`Made by ${name}`).first().waitFor({ state: "attached" });
    const [made] = JSON.parse(await sandbox.bd("list", "--title-contains", `Made by ${name}`, "--json"));
    assert.equal(made.created_by, name);
  }
  // Ana sees who has access, and cannot change it.
  await command(ana, "people with access");
  await person(ana, "Ben").waitFor();
  await dialog(ana).getByText("Only the user who runs the server gives and revokes access.").waitFor();
  assert.equal(await dialog(ana).getByRole("button", { name: /Revoke|Create/ }).count(), 0);

  await dialog(owner).getByRole("button", { name: "Revoke access of Ana" }).click();
  await dialog(owner).getByRole("button", { name: "Revoke access", exact: true }).click();
  await person(owner, "Ana").waitFor({ state: "detached" });
  await ana.getByRole("heading", { name: "Your access was revoked" }).waitFor();
  assert.equal(await ana.getByText("Seen by all").count(), 0, "the board is still shown");
  await ana.reload();
  await ana.getByRole("heading", { name: "This tab has no access" }).waitFor();
  const again = await (await sandbox.visitor()).newPage();
  await again.goto(links.Ana);
  await again.getByText("This link no longer works").waitFor();

  // Ben and the owner keep their access.
  await owner.keyboard.press("Escape");
  await create(ben, "Still here");
  await owner.getByText("Still here").first().waitFor();
  await card(ben, id).waitFor();
  // The command line shows the same access, and can revoke it.
  assert.match(await sandbox.console("access", "list", "--json"), /"name":"Ben","tabs":1/);
  await sandbox.console("access", "revoke", "Ben");
  await ben.getByRole("heading", { name: "Your access was revoked" }).waitFor();
  await waitUntil(async () => /"people":\[\]/.test(await sandbox.console("access", "list", "--json")));
});
