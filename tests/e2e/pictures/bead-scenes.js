// The scenes of editing a bead: its sheet, stale forms, and the dialogs on it.

import { THREE, TWO, USUAL } from "./sizes.js";

const dialog = (page) => page.getByRole("dialog");

/** Opens the sheet of a bead on the board. */
const beadSheet = (id, also = async () => {}) => async (page) => {
  await page.getByRole("article", { name: new RegExp(`^${id}, `) }).getByRole("heading").getByRole("button").click();
  await dialog(page).getByRole("region", { name: /^Description/ }).waitFor();
  await also(page);
};
/** Another program changes BC-121 while a field is edited. */
const changeElsewhere = async (page) => {
  await page.evaluate(() => window.dispatchEvent(new CustomEvent("fake:elsewhere", { detail: "BC-121" })));
  await dialog(page).getByRole("button", { name: "Keep mine" }).waitFor();
};
/** Edits the title of a bead that another program changes. */
const editTitle = async (page) => {
  await dialog(page).getByRole("heading", { level: 2 }).getByRole("button").click();
  await dialog(page).getByRole("textbox", { name: "Title" }).fill("Prefix the session cookies with __Host-");
  await changeElsewhere(page);
  await dialog(page).getByText("ann").first().waitFor();
};

export const BEAD_SCENES = [
  { name: "bead", sizes: THREE, go: (page) => page.getByRole("article", { name: /^BC-101, / }).getByRole("heading").getByRole("button").click() },
  { name: "bead-not-ready", sizes: TWO, go: async (page) => {
    await page.getByRole("article", { name: /^BC-118, / }).getByRole("heading").getByRole("button").click();
    await dialog(page).getByRole("heading", { name: "Not ready because" }).waitFor();
  } },
  { name: "bead-sessions", sizes: TWO, go: async (page) => {
    await page.getByRole("article", { name: /^BC-111, / }).getByRole("heading").getByRole("button").click();
    await dialog(page).getByRole("heading", { name: /^Sessions/ }).scrollIntoViewIfNeeded();
  } },
  { name: "bead-edit", sizes: THREE, go: beadSheet("BC-121", async (page) => {
    await dialog(page).getByRole("radio", { name: "Write" }).first().click();
    await dialog(page).getByRole("combobox", { name: "Labels" }).fill("o");
    await dialog(page).getByRole("option", { name: "ops" }).waitFor();
  }) },
  { name: "bead-conflict", with: { with: "edited-elsewhere" }, sizes: TWO, go: beadSheet("BC-121", editTitle) },
  { name: "bead-versions", with: { with: "edited-elsewhere" }, sizes: TWO, go: beadSheet("BC-121", async (page) => {
    await dialog(page).getByRole("radio", { name: "Write" }).first().click();
    await dialog(page).getByRole("textbox", { name: "Description" }).fill("Browsers drop a `__Host-` cookie that names a `Domain`.\n\n## To do\n- [x] List every place that sets a cookie\n- [x] Rename the cookie behind a flag\n- [ ] Read both names for one release\n- [ ] Drop the old name");
    await changeElsewhere(page);
    await dialog(page).getByRole("button", { name: "Show both" }).click();
    await page.getByRole("dialog", { name: "Two versions of BC-121" }).waitFor();
  }) },
  { name: "bead-dependency", sizes: TWO, go: beadSheet("BC-121", async (page) => {
    await dialog(page).getByRole("region", { name: "Blocked by" }).getByRole("button", { name: "Add dependency" }).click();
    await dialog(page).getByRole("combobox", { name: "Add dependency" }).fill("token");
    await dialog(page).getByRole("option").first().waitFor();
  }) },
  { name: "bead-history", sizes: TWO, go: beadSheet("BC-111", async (page) => {
    await dialog(page).getByRole("button", { name: "History" }).click();
    await dialog(page).getByText("created it").waitFor();
    await dialog(page).getByText("created it").scrollIntoViewIfNeeded();
  }) },
  { name: "bead-date", sizes: [USUAL], go: beadSheet("BC-121", (page) => dialog(page).getByRole("button", { name: "Due: None" }).click()) },
  { name: "bead-read-only", with: { with: "read-only" }, sizes: TWO, go: beadSheet("BC-121") },
  { name: "bead-few-fields", with: { with: "few-fields" }, sizes: [USUAL], go: beadSheet("BC-121") },
  { name: "bead-approve", sizes: [USUAL], go: beadSheet("BC-093", (page) => dialog(page).getByRole("button", { name: "Approve…" }).click()) },
  { name: "bead-new-more", sizes: TWO, go: async (page) => {
    await page.keyboard.press("c");
    await dialog(page).waitFor();
    await dialog(page).getByRole("button", { name: "More fields" }).click();
    await dialog(page).getByRole("button", { name: "Add blocker…" }).click();
    await dialog(page).getByRole("combobox", { name: "Blocked by" }).fill("token");
    await dialog(page).getByRole("option").first().waitFor();
  } },
];
