// Journey 4: the terminal is the true Claude Code: keyboard, colours, resize, selection, search and links.

import assert from "node:assert/strict";
import { journey, until } from "../sandbox.js";
import { atPrompt, card, coloured, composer, newSession, screen, tab, toast } from "../words.js";

const ADDRESS = "https://example.invalid/page";

journey("the terminal has keys, colours, a search, a selection, links and its size", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("To be copied");
  await sandbox.serve();
  const context = await sandbox.visitor();
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: sandbox.origin });
  const page = await sandbox.open(context);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());

  // The id of a card is copied by a click.
  await card(page, id).getByTitle(`Copy ${id}`).click();
  await toast(page, `Copied ${id}`).waitFor();
  assert.equal(await copied(), id);

  await newSession(page, { title: "At the terminal", objective: `[[say:A needle, see ${ADDRESS} for the needle.]]` });
  await atPrompt(page);
  await page.keyboard.press("Control+`");
  await screen(page).getByText("A needle, see").last().waitFor();
  await focused(page);
  await coloured(page);

  // Keys are claude's, those of the board too; the line is edited in claude's own way.
  await page.keyboard.type("sx");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("traight on");
  await screen(page).getByText("straight on").waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0, "a key of the board worked in the terminal");
  await page.keyboard.press("Control+u");
  await screen(page).getByText("straight on").waitFor({ state: "detached" });

  // Search: found, the next one, nothing, and back to the keys of claude.
  await page.keyboard.press("Control+Shift+f");
  const search = page.getByRole("search").getByLabel("Search the terminal");
  await search.fill("needle");
  const count = page.getByRole("search").getByRole("status");
  await count.getByText(/^\d+ of \d+$/).waitFor();
  const first = await count.textContent();
  await search.press("Enter");
  await page.waitForFunction(([node, was]) => node.textContent !== was, [await count.elementHandle(), first]);
  await search.fill("no such word at all");
  await count.getByText("No results", { exact: true }).waitFor();
  await search.press("Escape");
  await search.waitFor({ state: "detached" });
  await focused(page);

  // A selection is copied with Ctrl+Shift+C.
  const line = await placeOf(page, "A needle, see");
  await page.mouse.move(line.left + 1, line.middle);
  await page.keyboard.down("Shift");
  await page.mouse.down();
  await page.mouse.move(line.right - 1, line.middle, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await page.keyboard.press("Control+Shift+c");
  assert.equal(await copied(), "A needle, see");

  // A link says where it goes, and only Ctrl and a click go there.
  const link = await placeOf(page, ADDRESS);
  let step = 0;
  await until(async () => {
    await page.mouse.move(link.left + 20 + (step++ % 20), link.middle);
    return page.getByText("Ctrl and click to open").isVisible();
  });
  const opened = [];
  context.on("page", (other) => opened.push(other));
  await page.mouse.click(link.left + 20, link.middle);
  const popup = context.waitForEvent("page");
  await page.keyboard.down("Control");
  await page.mouse.click(link.left + 20, link.middle);
  await page.keyboard.up("Control");
  const other = await popup;
  assert.equal(opened.length, 1, "a click without Ctrl followed the link");
  assert.equal(await other.evaluate(() => window.opener).catch(() => null), null);
  await other.close();

  // Its size is the pane's: claude's own terminal has as many rows as are shown, before and after.
  const rows = () => page.locator("[data-terminal] .xterm-rows > div").count();
  const agrees = async () => (await rows()) === (await sandbox.terminalRows());
  await until(agrees);
  const before = await rows();
  await page.setViewportSize({ width: 1100, height: 560 });
  await page.waitForFunction((was) => document.querySelectorAll("[data-terminal] .xterm-rows > div").length < was, before);
  await until(agrees);
  assert.ok((await rows()) < before);
  await screen(page).getByText("A needle, see").last().waitFor();

  // Another terminal can have it too: the command for that is in the panel's menu.
  await page.getByRole("button", { name: "More actions for this session" }).click();
  await page.getByRole("menuitem", { name: "Copy attach command" }).click();
  await toast(page, "Attach command copied").waitFor();
  assert.equal(await copied(), `beads-console session attach ${sandbox.sessions()[0].id}`);

  // The key under Escape leaves it.
  await page.locator("[data-terminal]").click();
  await focused(page);
  await page.keyboard.press("Control+`");
  await composer(page).and(page.locator(":focus")).waitFor();
  assert.deepEqual(page.troubles, []);
});

/** The keys of the page are claude's once the terminal has the focus. */
const focused = (page) => page.locator("[data-terminal] textarea:focus").waitFor({ state: "attached" });

/** Where on the page a text of the terminal is. */
async function placeOf(page, text) {
  const row = page.locator("[data-terminal] .xterm-rows > div").filter({ hasText: text }).last();
  await row.waitFor();
  return row.evaluate((element, wanted) => {
    const box = element.getBoundingClientRect();

    const at = element.textContent.indexOf(wanted);
    const range = document.createRange();
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let passed = 0;
    let [start, end] = [null, null];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const length = node.textContent.length;
      if (start === null && passed + length > at) range.setStart(node, (start = at - passed));
      if (end === null && passed + length >= at + wanted.length) range.setEnd(node, (end = at + wanted.length - passed));
      passed += length;
    }
    const { left, right } = range.getBoundingClientRect();
    return { left, right, middle: box.top + box.height / 2 };
  }, text);
}
