// Journey: the terminal shows the real Claude Code: keyboard, colours, resizing, selection, search and links.

import assert from "node:assert/strict";
import { journey, waitUntil } from "../sandbox.js";
import { atPrompt, card, coloured, composer, newSession, screen, toast } from "../actions.js";

const ADDRESS = "https://example.invalid/page";

journey("the terminal supports keys, colours, search, selection, links and resizing", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("To be copied");
  await sandbox.serve();
  const context = await sandbox.visitor();
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: sandbox.origin });
  const page = await sandbox.open(context);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());

  // A click on a card's ID copies it.
  await card(page, id).getByTitle(`Copy ${id}`).click();
  await toast(page, `Copied ${id}`).waitFor();
  assert.equal(await copied(), id);

  await newSession(page, { title: "At the terminal", objective: `[[say:A needle, see ${ADDRESS} for the needle.]]` });
  await atPrompt(page);
  await page.keyboard.press("Control+`");
  await screen(page).getByText("A needle, see").last().waitFor();
  await focused(page);
  await coloured(page);

  // Claude gets the keys that are shortcuts on the board, and edits its own input line.
  await page.keyboard.type("sx");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("traight on");
  await screen(page).getByText("straight on").waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0, "a shortcut of the board worked in the terminal");
  await page.keyboard.press("Control+u");
  await screen(page).getByText("straight on").waitFor({ state: "detached" });

  // The search shows a match, the next one, and no match; then the focus returns to claude.
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

  const line = await placeOf(page, "A needle, see");
  await page.mouse.move(line.left + 1, line.middle);
  await page.keyboard.down("Shift");
  await page.mouse.down();
  await page.mouse.move(line.right - 1, line.middle, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await page.keyboard.press("Control+Shift+c");
  assert.equal(await copied(), "A needle, see");

  // A link shows how to open it, and is opened only by a click with Ctrl.
  const link = await placeOf(page, ADDRESS);
  let step = 0;
  await waitUntil(async () => {
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

  // Claude's terminal has as many rows as the pane, before and after a resize.
  const rows = () => page.locator("[data-terminal] .xterm-rows > div").count();
  const agrees = async () => (await rows()) === (await sandbox.terminalRows());
  await waitUntil(agrees);
  const before = await rows();
  await page.setViewportSize({ width: 1100, height: 560 });
  await page.waitForFunction((was) => document.querySelectorAll("[data-terminal] .xterm-rows > div").length < was, before);
  await waitUntil(agrees);
  assert.ok((await rows()) < before);
  await screen(page).getByText("A needle, see").last().waitFor();

  // The panel's menu has the command that attaches another terminal.
  await page.getByRole("button", { name: "More actions for this session" }).click();
  await page.getByRole("menuitem", { name: "Copy attach command" }).click();
  await toast(page, "Attach command copied").waitFor();
  assert.equal(await copied(), `beads-console session attach ${sandbox.sessions()[0].id}`);

  // Ctrl and the key below Escape leave the terminal.
  await page.locator("[data-terminal]").click();
  await focused(page);
  await page.keyboard.press("Control+`");
  await composer(page).and(page.locator(":focus")).waitFor();
  assert.deepEqual(page.errors, []);
});

/** Waits until the terminal has the focus; then the page's keys go to claude. */
const focused = (page) => page.locator("[data-terminal] textarea:focus").waitFor({ state: "attached" });

/** The position of a text in the terminal, in CSS pixels: its left and right edge and its vertical middle. */
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
