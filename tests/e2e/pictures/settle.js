// Waits for a page to settle, and scrolls within virtual lists, which measure their rows while they scroll.

/** The number of frames without a change after which the page counts as settled. */
const STILL_FRAMES = 6;

/** Waits until the fonts are loaded and the document has not changed for `STILL_FRAMES` frames. */
export async function settle(page) {
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
  }, STILL_FRAMES);
}

/**
 * Scrolls an element of a list to the nearest or the given edge. A click would scroll by an amount that
 * depends on how much of the list is measured. The first scroll measures the element and its neighbours, so the second
 * is exact.
 */
export async function scrollToEdge(page, place, block = "nearest") {
  await place.waitFor();
  for (const _ of ["near", "exactly"]) {
    await settle(page);
    await place.evaluate((element, block) => element.scrollIntoView({ block }), block);
  }
  await settle(page);
  return place;
}
