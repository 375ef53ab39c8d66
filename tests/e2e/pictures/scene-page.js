// A page of the UI with sample data, in the state that a scene describes.

import { existsSync } from "node:fs";
import { CHROMIUM, TIMEOUT, chrome } from "../sandbox.js";
import { watchFocus } from "./focus-checks.js";
import * as madeUp from "./made-up.js";
import { USUAL } from "./scenes.js";

/** Opens a scene's page in the dark theme and runs a check on it. Without Chromium or the UI's packages, the
 * test is skipped, or fails with `BC_TEST_DEMAND=1`. */
export async function withScene(scene, t, check) {
  const why = madeUp.missing() ?? (existsSync(CHROMIUM) ? null : `${CHROMIUM} does not exist`);
  if (why) {
    if (process.env.BC_TEST_DEMAND === "1") throw new Error(`${why}, and BC_TEST_DEMAND=1`);
    process.stderr.write(`SKIPPED ${scene.name}: ${why}\n`);
    t.skip(why);
    return;
  }
  await madeUp.build();
  const context = await (await chrome()).newContext({ viewport: USUAL, colorScheme: "dark", reducedMotion: "reduce", locale: "en-GB", timezoneId: "UTC" });
  context.setDefaultTimeout(TIMEOUT);
  try {
    await madeUp.serveTo(context);
    const page = await context.newPage();
    await page.addInitScript(watchFocus);
    await page.clock.setFixedTime(madeUp.NOW);
    await page.addInitScript(keepToasts);
    await page.goto(`${madeUp.ORIGIN}/?${new URLSearchParams({ fake: "1", messages: "200", ...scene.with })}`);
    await (scene.ready?.(page) ?? page.getByRole("tab", { name: "Board" })).waitFor();
    await check(page);
  } finally {
    await context.close();
  }
}

/** Runs in the page: toasts do not expire, because a slow machine takes the picture later. */
function keepToasts() {
  const SHORTEST_LIFE_MS = 4000;
  const original = window.setTimeout;
  window.setTimeout = (run, delay, ...args) => (delay >= SHORTEST_LIFE_MS ? 0 : original(run, delay, ...args));
}
