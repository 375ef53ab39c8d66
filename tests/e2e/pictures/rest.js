// When a page has come to rest, and things in a list that is measured as it is scrolled.

/** So many frames without a change are rest. */
const STILL = 6;

/** Waits until nothing changes any more: fonts are there, code is coloured, lists are measured. */
export async function rest(page) {
  await page.evaluate(async (still) => {
    await document.fonts.ready;
    let frames = 0;
    const watch = new MutationObserver(() => (frames = 0));
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    while (frames < still) {
      frames += 1;
      await new Promise((drawn) => requestAnimationFrame(drawn));
    }
    watch.disconnect();
  }, STILL);
}

/**
 * Brings something of a list to its edge, always the same way: what a click scrolls to depends on how much of the
 * list was measured by then. The first time brings it and its neighbours there, which are measured; the second is exact.
 */
export async function bring(page, place) {
  await place.waitFor();
  for (const _ of ["near", "exactly"]) {
    await rest(page);
    await place.evaluate((element) => element.scrollIntoView({ block: "nearest" }));
  }
  await rest(page);
  return place;
}
