// Takes pictures of all scenes in their sizes, checks their accessibility and keyboard focus, and fails on a
// visible difference from the reference. The first size of a scene is shown in both themes and checked for
// accessibility; at the others, only a dark picture is taken. `BC_TEST_ALL=1` does so at all sizes, and also
// follows the Tab stops of views, not only those of dialogs.
//
// Pictures are written to target/pictures. `UPDATE_PICTURES=1` replaces the references in pictures/references;
// `ONLY_PICTURES=board,history` limits the run to these scenes.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ALLOWED, difference, pictureAt, read, sheet, reduce, write } from "./pictures/compare.js";
import { checkTabStops, opened } from "./pictures/focus-checks.js";
import * as madeUp from "./pictures/made-up.js";
import { withScene } from "./pictures/scene-page.js";
import { SCENES, USUAL } from "./pictures/scenes.js";
import { settle } from "./pictures/settle.js";

const here = dirname(fileURLToPath(import.meta.url));
const kept = join(here, "..", "..", "target", "pictures");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const THEMES = ["dark", "light"];
/** The number of scenes that run in parallel. */
const LANES = Number(process.env.BC_TEST_LANES ?? 2);
const UPDATE = process.env.UPDATE_PICTURES === "1";
/** Whether pictures are taken in both themes at each size. */
const ALL = UPDATE || process.env.BC_TEST_ALL === "1";
const only = process.env.ONLY_PICTURES?.split(",");

describe("pictures", { concurrency: LANES }, () => {
  for (const scene of SCENES.filter(({ name }) => only?.includes(name) ?? true)) {
    test(`${scene.name} matches its reference, and is accessible, also by keyboard`, { timeout: 480_000 }, (t) => checkScene(scene, t));
  }
});

test("every kind of dialog has a scene", { skip: only !== undefined || madeUp.missing() !== null }, () => {
  const source = readFileSync(join(here, "..", "..", "ui", "src", "state", "dialogs.svelte.ts"), "utf8");
  const kinds = [...source.matchAll(/^\s*(?:\||export type FleetSheet = ).*?kind: "/gm)].length;
  assert.ok(kinds > 20, "the kinds were not found in the source");
  const missing = [...source.matchAll(/kind: "([a-z-]+)"/g)].map(([, kind]) => kind).filter((kind) => !opened.has(kind));
  assert.deepEqual([...new Set(missing)], []);
});

async function checkScene(scene, t) {
  await withScene(scene, t, async (page) => {
    const found = [];
    page.on("pageerror", (error) => found.push(`${scene.name}: ${error}`));
    await page.evaluate(axe);
    await scene.go?.(page);
    const rows = await takePictures(scene, page, found);
    // A failed focus check must not hide the pictures' differences.
    const focus = await checkFocus(scene, page).then(() => [], (error) => [error.message]);
    assert.deepEqual([...differences(scene, rows), ...found, ...focus], []);
  });
}

/**
 * Takes the pictures of a scene: one row of small pictures per size, with one picture per theme. Also writes the
 * full pictures, and adds accessibility violations to `found`.
 */
async function takePictures(scene, page, found) {
  const rows = [];
  for (const size of scene.sizes) {
    if (scene.each && rows.length > 0) await page.keyboard.press("Escape");
    await page.setViewportSize(size);
    await scene.each?.(page);
    const row = [];
    for (const theme of rows.length === 0 || ALL ? THEMES : THEMES.slice(0, 1)) {
      await page.emulateMedia({ colorScheme: theme });
      await page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, theme);
      const screenshot = await stableScreenshot(page, fileOf(scene, size, theme));
      row.push(reduce(screenshot));
      // The themes differ only in their colours, and the colours are the same at every size.
      const rules = { contrast: rows.length === 0, others: theme === THEMES[0] && (rows.length === 0 || ALL) };
      found.push(...(await violations(page, rules)).map((one) => `${scene.name}, ${theme}, ${size.width}×${size.height}: ${one}`));
    }
    rows.push(row);
  }
  return rows;
}

/** Checks Tab stops and focus at the usual size. Views, unlike dialogs, are checked only with `ALL`. */
async function checkFocus(scene, page) {
  if (!ALL && (await page.evaluate(() => window.layers().length)) === 0) return;
  if (scene.sizes.at(-1) !== USUAL) {
    if (scene.each) await page.keyboard.press("Escape");
    await page.setViewportSize(USUAL);
    await scene.each?.(page);
    await settle(page);
  }
  await checkTabStops(page);
}

const fileOf = ({ name }, { width }, theme) => join(kept, `${name}-${theme}-${width}.png`);

/** Takes a screenshot after the page has stopped changing. */
async function stableScreenshot(page, path) {
  mkdirSync(kept, { recursive: true });
  await settle(page);
  return page.screenshot({ animations: "disabled", ...(path ? { path } : {}) });
}

/** The violations that axe reports: of the rule for contrast, of all other rules, or of both. */
async function violations(page, { contrast, others }) {
  if (!contrast && !others) return [];
  return page.evaluate(async ([contrast, others]) => {
    // The rule `region` requires that landmarks contain all content. By design, toasts, tooltips and open dialogs are
    // outside the landmarks.
    const options = others
      ? { rules: { region: { enabled: false }, "color-contrast": { enabled: contrast } } }
      : { runOnly: ["color-contrast"] };
    const { violations } = await window.axe.run(document, { ...options, resultTypes: ["violations"] });
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((n) => `${n.html.slice(0, 160)} ${n.any[0]?.message ?? ""}`).join(" | ")}`);
  }, [contrast, others]);
}

/** A message for each picture that differs too much from its reference. Writes the current sheet, too. */
function differences(scene, rows) {
  const reference = join(here, "pictures", "references", `${scene.name}.png`);
  const now = join(kept, "small", `${scene.name}.png`);
  write(now, sheet(rows));
  if (UPDATE) write(reference, sheet(rows));
  const known = read(reference);
  const path = relative(process.cwd(), reference);
  if (!known) return [`${path} does not exist: UPDATE_PICTURES=1 creates it`];
  return rows.flatMap((row, r) =>
    row.flatMap((picture, c) => {
      const [size, theme] = [scene.sizes[r], THEMES[c]];
      const before = pictureAt(known, rows, r, c);
      const share = before ? difference(before, picture) : 1;
      if (share <= ALLOWED) return [];
      const file = relative(process.cwd(), fileOf(scene, size, theme));
      const percent = (share * 100).toFixed(1);
      const current = relative(process.cwd(), now);
      return [`${percent} % of ${file} differs from ${path} (${theme}, ${size.width}×${size.height}); now: ${current}`];
    }),
  );
}
