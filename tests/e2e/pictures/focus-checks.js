// The checks of the keyboard focus in a scene: a dialog, sheet or popover takes the focus, keeps it and gives it back,
// and no focus ring is cut off.

import assert from "node:assert/strict";

/** The maximum number of Tab stops that are checked in a scene; enough for everything except long lists. */
const MAX_STOPS = 80;

/** The kinds of dialogs and sheets that the scenes have opened. */
export const opened = new Set();

export async function checkTabStops(page) {
  for (const kind of await page.evaluate(() => document.querySelector("[data-dialogs]")?.dataset.dialogs.split(" ") ?? [])) opened.add(kind);
  const layers = await page.evaluate(() => window.layers().length);
  if (layers > 0) await page.waitForFunction(() => window.isInside(), null, { timeout: 10_000 }).catch(async () => assert.fail(`the focus is not in the dialog but on ${await focused(page)}`));
  const clipped = new Set();
  const stops = layers > 0 ? (await page.evaluate(() => window.stops())) + 2 : MAX_STOPS;
  for (let n = 0; n < Math.min(stops, MAX_STOPS); n++) {
    // Key-down events alone move the focus, with half the messages to the browser.
    await page.keyboard.down("Tab");
    const { left, cut } = await page.evaluate(() => window.focusNow());
    if (left) assert.fail(`Tab left the dialog for ${await focused(page)}`);
    if (cut) clipped.add(cut);
  }
  await page.keyboard.up("Tab");
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

/** Runs in the page before any other script and defines the functions that the checks call. */
export function watchFocus() {
  const LAYER = "[role=dialog], [role=alertdialog]";
  const outside = [];
  let top;
  addEventListener("focusin", ({ target }) => {
    if (!target.closest(`${LAYER}, [role=menu], [role=listbox]`)) outside.push(target);
  }, true);
  const seen = (element) => element.isConnected && element.getClientRects().length > 0;
  window.layers = () => [...document.querySelectorAll(LAYER)].filter(seen);
  window.isInside = () => window.layers().at(-1)?.contains(document.activeElement) ?? false;
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  window.focusNow = async () => {
    const left = () => window.layers().length > 0 && !window.isInside();
    // A dialog takes the focus back, and a virtual list settles, within two frames.
    if (left() || window.cutRing()) await drawn();
    return { left: left(), cut: window.cutRing() };
  };
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
