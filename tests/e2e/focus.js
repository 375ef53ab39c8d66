// Keyboard focus in all scenes: each dialog, sheet and popover takes the focus, keeps it and gives it back, and no
// focus ring is cut off. The last test fails if there is no scene for a kind of dialog.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as madeUp from "./pictures/made-up.js";
import { settle } from "./pictures/settle.js";
import { SCENES, USUAL } from "./pictures/scenes.js";
import { CHROMIUM, PATIENCE, chrome } from "./sandbox.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const LANES = Number(process.env.BC_TEST_LANES ?? 2);
const only = process.env.ONLY_PICTURES?.split(",");
/** The maximum number of Tab stops that are checked in a view; enough for everything except long lists. */
const MOST_STOPS = 80;

/** The kinds of dialogs and sheets that the scenes have opened. */
const opened = new Set();

describe("focus", { concurrency: LANES }, () => {
  for (const scene of SCENES.filter(({ name }) => only?.includes(name) ?? true)) {
    test(`${scene.name}: the focus is correct and visible`, { timeout: 480_000 }, (t) => withScene(scene, t, checkTabStops));
  }
  test("keys in a sheet do not move the board behind it", { timeout: 480_000 }, (t) => withScene(sceneNamed("bead"), t, async (page) => {
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
  test("Ctrl+Enter in a dialog triggers nothing behind it", { timeout: 480_000 }, (t) => withScene(sceneNamed("session-resume"), t, async (page) => {
    await page.keyboard.press("Control+Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await page.getByRole("menu").count(), 0);
  }));
  test("Tab stops at one card per column, and never at a card's id", { timeout: 480_000 }, (t) => withScene(sceneNamed("board"), t, async (page) => {
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

test("every kind of dialog has a scene", { skip: only !== undefined || madeUp.missing() !== null }, () => {
  const source = readFileSync(join(root, "ui", "src", "state", "dialogs.svelte.ts"), "utf8");
  const kinds = [...source.matchAll(/^\s*(?:\||export type FleetSheet = ).*?kind: "/gm)].length;
  assert.ok(kinds > 20, "the kinds were not found in the source");
  const missing = [...source.matchAll(/kind: "([a-z-]+)"/g)].map(([, kind]) => kind).filter((kind) => !opened.has(kind));
  assert.deepEqual([...new Set(missing)], []);
});

const sceneNamed = (name) => SCENES.find((scene) => scene.name === name);

/** Opens a scene and runs a check on its page. */
async function withScene(scene, t, check) {
  const why = madeUp.missing() ?? (existsSync(CHROMIUM) ? null : `${CHROMIUM} does not exist`);
  if (why) {
    if (process.env.BC_TEST_DEMAND === "1") throw new Error(`${why}, and BC_TEST_DEMAND=1`);
    process.stderr.write(`SKIPPED ${scene.name}: ${why}\n`);
    t.skip(why);
    return;
  }
  await madeUp.build();
  const context = await (await chrome()).newContext({ viewport: USUAL, reducedMotion: "reduce", locale: "en-GB", timezoneId: "UTC" });
  context.setDefaultTimeout(PATIENCE);
  try {
    await madeUp.serveTo(context);
    const page = await context.newPage();
    await page.addInitScript(watchFocus);
    await page.clock.setFixedTime(madeUp.NOW);
    await page.goto(`${madeUp.ORIGIN}/?${new URLSearchParams({ fake: "1", messages: "200", ...scene.with })}`);
    await (scene.ready?.(page) ?? page.getByRole("tab", { name: "Board" })).waitFor();
    await scene.go?.(page);
    await scene.each?.(page);
    await settle(page);
    await check(page);
  } finally {
    await context.close();
  }
}

async function checkTabStops(page) {
  for (const kind of await page.evaluate(() => document.querySelector("[data-dialogs]")?.dataset.dialogs.split(" ") ?? [])) opened.add(kind);
  const layers = await page.evaluate(() => window.layers().length);
  if (layers > 0) await page.waitForFunction(() => window.isInside(), null, { timeout: 10_000 }).catch(async () => assert.fail(`the focus is not in the dialog but on ${await focused(page)}`));
  const clipped = new Set();
  const stops = layers > 0 ? (await page.evaluate(() => window.stops())) + 2 : MOST_STOPS;
  for (let n = 0; n < Math.min(stops, MOST_STOPS); n++) {
    await page.keyboard.press("Tab");
    // A virtual list needs two frames to settle.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    if (layers > 0 && !(await page.evaluate(() => window.isInside()))) assert.fail(`Tab left the dialog for ${await focused(page)}`);
    const cut = await page.evaluate(() => window.cutRing());
    if (cut) clipped.add(cut);
  }
  assert.deepEqual([...clipped], [], "some focus rings are cut off");
  if (layers === 0) return;
  for (let n = 0; n < 3; n++) {
    await page.keyboard.press("Shift+Tab");
    if (!(await page.evaluate(() => window.isInside()))) assert.fail(`Shift+Tab left the dialog for ${await focused(page)}`);
  }
  await page.evaluate(() => window.markTop());
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !window.isOpen(), null, { timeout: 10_000 }).catch(() => assert.fail("Escape does not close the dialog"));
  await page.waitForFunction(() => window.isBack(), null, { timeout: 10_000 }).catch(async () => assert.fail(`the focus did not go back but is on ${await focused(page)}`));
}

const focused = (page) => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 160));

/** Runs in the page before any other script and defines what the tests call. */
function watchFocus() {
  const LAYER = "[role=dialog], [role=alertdialog]";
  const outside = [];
  let top;
  addEventListener("focusin", ({ target }) => {
    if (!target.closest(`${LAYER}, [role=menu], [role=listbox]`)) outside.push(target);
  }, true);
  const seen = (element) => element.isConnected && element.getClientRects().length > 0;
  window.layers = () => [...document.querySelectorAll(LAYER)].filter(seen);
  window.isInside = () => window.layers().at(-1)?.contains(document.activeElement) ?? false;
  window.stops = () => window.layers().at(-1).querySelectorAll("a[href], button, input, select, textarea, [tabindex]").length;
  window.markTop = () => (top = window.layers().at(-1));
  window.isOpen = () => top.isConnected;
  window.isBack = () => {
    const below = window.layers().at(-1);
    if (below) return below.contains(document.activeElement);
    const before = outside.filter((element) => seen(element) && !element.matches(":disabled"));
    return before.length === 0 ? document.activeElement === document.body : before.includes(document.activeElement);
  };
  /** Describes the focused element if its focus ring is cut off; null if the whole ring is visible. */
  window.cutRing = () => {
    const element = document.activeElement;
    if (!element || element === document.body || !element.matches(":focus-visible")) return null;
    const { outlineStyle, outlineWidth, outlineOffset, position } = getComputedStyle(element);
    if (outlineStyle === "none" || parseFloat(outlineWidth) === 0) return null;
    const wide = Math.max(0, parseFloat(outlineWidth) + parseFloat(outlineOffset));
    const box = element.getBoundingClientRect();
    const around = document.elementFromPoint(0, 0) && [document.documentElement];
    for (let at = element.parentElement, last = position; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (last === "fixed") break;
      const skipped = last === "absolute" && style.position === "static";
      if (!skipped) {
        if (style.overflowX !== "visible" || style.overflowY !== "visible" || style.contain.includes("paint")) around.push(at);
        last = style.position === "static" ? last : style.position;
        if (last === "absolute" && style.position === "relative") last = "relative";
      }
    }
    for (const clip of around) {
      const edge = clip.getBoundingClientRect();
      const inner = {
        left: edge.left + clip.clientLeft, top: edge.top + clip.clientTop,
        right: edge.left + clip.clientLeft + clip.clientWidth, bottom: edge.top + clip.clientTop + clip.clientHeight,
      };
      // An element larger than its scroll area can show only a part of its ring.
      const [tooWide, tooHigh] = [box.width + 2 * wide > inner.right - inner.left, box.height + 2 * wide > inner.bottom - inner.top];
      const cut =
        (!tooWide && (box.left - wide < inner.left - 0.5 || box.right + wide > inner.right + 0.5)) ||
        (!tooHigh && (box.top - wide < inner.top - 0.5 || box.bottom + wide > inner.bottom + 0.5));
      if (cut) return `${element.tagName.toLowerCase()}.${element.className} ${element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 30)} in ${clip.tagName.toLowerCase()}.${clip.className}`;
    }
    return null;
  };
}
