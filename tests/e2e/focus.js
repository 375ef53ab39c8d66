// Keyboard and focus tests of single scenes. pictures.js checks the focus in all scenes.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { withScene } from "./pictures/scene-page.js";
import { SCENES } from "./pictures/scenes.js";
import { settle } from "./pictures/settle.js";

const LANES = Number(process.env.BC_TEST_LANES ?? 2);
describe("focus", { concurrency: LANES }, () => {
  test("keys in a sheet do not move the board behind it", { timeout: 480_000 }, (t) => withSettled(sceneNamed("bead"), t, async (page) => {
    await page.setViewportSize({ width: 1280, height: 480 });
    const tops = () => page.evaluate(() => [...document.querySelectorAll(".cards")].map((list) => list.scrollTop));
    const before = await tops();
    const scrolled = page.locator(".sheet > .body");
    await page.keyboard.press("PageDown");
    await page.waitForFunction((body) => body.scrollTop > 0, await scrolled.elementHandle());
    assert.deepEqual(await tops(), before);
    await page.keyboard.press("Home");
    await page.waitForFunction((body) => body.scrollTop === 0, await scrolled.elementHandle());
  }));
  test("Ctrl+Enter in a dialog triggers nothing behind it", { timeout: 480_000 }, (t) => withSettled(sceneNamed("session-resume"), t, async (page) => {
    await page.keyboard.press("Control+Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await page.getByRole("menu").count(), 0);
  }));
  test("Tab stops at one card per column, and never at a card's ID", { timeout: 480_000 }, (t) => withSettled(sceneNamed("board"), t, async (page) => {
    const columns = await page.evaluate(() => [...document.querySelectorAll("section:has(article)")].map((column) =>
      [...column.querySelectorAll("article")].filter((card) => [...card.querySelectorAll("button")].some((one) => one.tabIndex >= 0)).length));
    assert.ok(columns.length > 2, `there are ${columns.length} columns`);
    assert.deepEqual([...new Set(columns)], [1]);
    assert.equal(await page.locator("article .id:not([tabindex='-1'])").count(), 0);
    await page.locator("article [data-card-open][tabindex='0']").first().focus();
    await page.keyboard.press("y");
    await page.getByText(/^(Copied BC-|The clipboard is not)/).waitFor();
  }));
});

const sceneNamed = (name) => SCENES.find((scene) => scene.name === name);

/** Opens a scene in the state that its pictures show, and runs a check on its page. */
const withSettled = (scene, t, check) => withScene(scene, t, async (page) => {
  await scene.go?.(page);
  await scene.each?.(page);
  await settle(page);
  await check(page);
});
