// The steps that lead to the views in the scenes.

import { scrollToEdge } from "./settle.js";

/** The sizes of a scene: the usual window, the smallest comfortable one, and the smallest supported one. */
export const USUAL = { width: 1280, height: 800 };
export const NARROW = { width: 800, height: 600 };
export const SMALLEST = { width: 640, height: 400 };
export const TWO = [USUAL, NARROW];
export const THREE = [USUAL, NARROW, SMALLEST];

export const dialog = (page) => page.getByRole("dialog");
export const tab = (page, name) => page.getByRole("tab", { name, exact: true });
export const row = (page, title) => page.getByRole("region", { name: "Sessions" }).getByRole("button", { name: title }).first();
export const panel = (page) => page.getByRole("region", { name: "Session", exact: true });

/** Opens a session from the list and waits for its panel. */
export const session = (title, also = async () => {}) => async (page) => {
  await (await scrollToEdge(page, row(page, title))).click();
  await panel(page).waitFor();
  await also(page);
};
/** Opens the turns of a session's changes and chooses the fourth one. */
export const turns = (also = async () => {}) => session("Implement login validation", async (page) => {
  await page.keyboard.press("Control+Shift+F");
  await tab(page, "Changes").click();
  await panel(page).getByRole("radio", { name: "Turns" }).click();
  await panel(page).getByRole("button", { name: /^Turn 4 / }).click();
  await panel(page).getByRole("button", { name: "Fork a session from here" }).waitFor();
  await also(page);
});
/** Scrolls to a session's card in the history and returns the card. */
export const historyCard = (page, title) => scrollToEdge(page, page.getByRole("main").getByRole("button", { name: /\d messages?/ }).filter({ hasText: title }).first());
export const history = (also = async () => {}) => async (page) => {
  await tab(page, "History").click();
  await also(page);
};
export const press = (key) => async (page) => {
  await page.keyboard.press(key);
  await dialog(page).waitFor();
};

/** Runs a palette command that opens a dialog. */
export const runCommand = (words) => async (page) => {
  await press("Control+k")(page);
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
};

/** Selects the focused card with a key. It retries, because the key does nothing until the board's keys are
 * loaded. */
export const select = async (page, expected) => {
  const shown = () => page.getByText(expected).waitFor({ timeout: 3_000 }).then(() => true, () => false);
  do await page.keyboard.press("x");
  while (!(await shown()));
};

/** Drags a card over a column without dropping it. */
export const drag = async (page, id, column) => {
  const from = await page.getByRole("article", { name: new RegExp(`^${id}, `) }).boundingBox();
  const to = await page.locator(`[data-column="${column}"]`).boundingBox();
  await page.mouse.move(from.x + 40, from.y + 30);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 40, { steps: 3 });
  await page.mouse.move(to.x + to.width / 2, to.y + Math.min(280, to.height / 2), { steps: 5 });
};

export const teach = async (page) => {
  await runCommand("teach agents")(page);
  await dialog(page).getByRole("heading", { name: "Changes" }).waitFor();
};

export const memory = (also = async () => {}) => async (page) => {
  await tab(page, "Memory").click();
  await page.getByRole("listitem").filter({ hasText: "Emails" }).waitFor();
  await also(page);
};
export const hooks = (also = async () => {}) => async (page) => {
  await runCommand("lifecycle hooks")(page);
  await dialog(page).getByText("Repository hooks").waitFor();
  await also(page);
};

export const worktrees = (also = async () => {}) => async (page) => {
  await runCommand("worktrees")(page);
  await dialog(page).getByRole("listitem").first().waitFor();
  await also(page);
};

export const backup = (also = async () => {}) => async (page) => {
  await runCommand("backup and sync")(page);
  await dialog(page).getByRole("region", { name: "Tracker remote" }).waitFor();
  await also(page);
};

/** Opens the fleet view with its sample data. */
export const fleet = (also = async () => {}) => async (page) => {
  await tab(page, "Fleet").click();
  await page.getByRole("heading", { name: "Ready to assign" }).waitFor();
  await also(page);
};
export const fleetSettings = (group) => fleet(async (page) => {
  await runCommand("fleet settings")(page);
  await dialog(page).getByRole("radio", { name: group }).click();
});

/** Opens the sheet of a bead on the board. */
export const beadSheet = (id, also = async () => {}) => async (page) => {
  await page.getByRole("article", { name: new RegExp(`^${id}, `) }).getByRole("heading").getByRole("button").click();
  await dialog(page).getByRole("region", { name: /^Description/ }).waitFor();
  await also(page);
};
/** Simulates a change of BC-121 by another program while a field is edited. */
export const changeElsewhere = async (page) => {
  await page.evaluate(() => window.dispatchEvent(new CustomEvent("fake:elsewhere", { detail: "BC-121" })));
  await dialog(page).getByRole("button", { name: "Keep mine" }).waitFor();
};
/** Edits the title of a bead that another program changes. */
export const editTitle = async (page) => {
  await dialog(page).getByRole("heading", { level: 2 }).getByRole("button").click();
  await dialog(page).getByRole("textbox", { name: "Title" }).fill("Prefix the session cookies with __Host-");
  await changeElsewhere(page);
  await dialog(page).getByText("ann").first().waitFor();
};

/** Opens a view of the beads by its name and waits for it. */
export const beadView = (name, also = async () => {}) => async (page) => {
  await page.getByRole("radio", { name, exact: true }).click();
  const shown = { List: page.getByRole("grid", { name: "Beads" }), Graph: page.getByRole("group", { name: /^Graph of dependencies/ }), Epics: page.getByRole("treegrid", { name: "Epics" }) };
  await shown[name].waitFor();
  await also(page);
};
export const selectRows = async (page, ids) => {
  for (const id of ids) await page.getByRole("row", { name: new RegExp(id) }).getByRole("checkbox").check({ force: true });
  await page.getByRole("toolbar", { name: "Selected beads" }).waitFor();
};

export const resume = async (page) => {
  await page.getByRole("button", { name: "Resume options" }).click();
  await page.getByRole("menuitem", { name: "Review changes and resume…" }).click();
  await dialog(page).getByLabel("Prompt").waitFor();
};
