// Limited displays: a window of 640×400 pixels, and a browser without WebGL.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { artefacts, journey } from "../sandbox.js";
import { atPrompt, card, chat, chatText, coloured, composer, newSession, panel, screen, sendPrompt, tab } from "../actions.js";

const SMALL = { width: 640, height: 400 };

journey("a window of 640×400 pixels has all controls, and nothing is cut off", { needs: ["bd", "claude"], long: true }, async (sandbox) => {
  const long = "A title that is much longer than there is room for in any list of a small window, whatever one does";
  const id = await sandbox.bead(long, "--description", "One.\n\n".repeat(60), "-l", "a-label-that-is-long,another-label", "-p", "0");
  await sandbox.bead("Waits", "--deps", id);
  await sandbox.serve();
  const page = await sandbox.open(await sandbox.visitor({ viewport: SMALL }));
  const dialog = page.getByRole("dialog");
  const checkFit = (name) => assertFits(page, name);
  const closed = async () => {
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  };

  await card(page, id).waitFor();
  await checkFit("board");
  for (const [key, name, wanted] of [
    ["c", "new bead", () => dialog.getByRole("button", { name: /^Create/ })],
    ["Alt+n", "new session", () => dialog.getByRole("button", { name: /^Start/ })],
    ["Control+k", "palette", () => dialog.getByRole("option").first()],
    ["?", "keys", () => dialog.getByRole("button", { name: "Close" })],
  ]) {
    await page.keyboard.press(key);
    await wanted().waitFor();
    await checkFit(name);
    await assertVisible(page, wanted(), `${name}: its main control`);
    await closed();
  }
  await page.getByRole("button", { name: "Settings" }).click();
  await dialog.getByText("Theme", { exact: true }).first().waitFor();
  await checkFit("settings");
  await assertVisible(page, dialog.getByRole("button", { name: "Close" }), "settings: Close");
  await closed();
  await card(page, id).getByRole("heading").getByRole("button").click();
  await dialog.getByRole("heading", { name: "Description" }).waitFor();
  await checkFit("sheet");
  await assertVisible(page, dialog.getByRole("button", { name: "Start Work" }), "sheet: Start Work");
  await dialog.getByRole("button", { name: "Start Work" }).click();
  const start = dialog.filter({ has: page.getByLabel("Branch") });
  await start.getByText("The branch name is available.").waitFor();
  await checkFit("start work");
  await assertVisible(page, start.getByRole("button", { name: "Start Work" }), "start work: Start Work");
  await start.getByLabel("Objective").fill("[[say:A reply.]]");
  await start.getByRole("button", { name: "Start Work" }).click();
  await panel(page).waitFor();
  await chatText(page, "A reply.").waitFor();
  await atPrompt(page);

  // The session: its conversation, its actions, and a permission request.
  await checkFit("session");
  for (const name of ["Pause", "End", "More actions for this session"]) {
    await assertVisible(page, panel(page).getByRole("button", { name, exact: true }), `session: ${name}`);
  }
  await assertVisible(page, composer(page), "the composer");
  await assertVisible(page, panel(page).getByRole("button", { name: /^Send/ }), "Send");
  await assertVisible(page, chatText(page, "A reply."), "the reply");
  await sendPrompt(page, `[[write:${join(sandbox.project, "a.txt")}:${"a line\n".repeat(40)}]]`);
  const ask = page.getByRole("region", { name: "claude wants to write a file" });
  await ask.waitFor();
  await checkFit("permission");
  await assertVisible(page, ask.getByRole("button", { name: /^Deny/ }), "Deny");
  await assertVisible(page, composer(page), "the composer under a permission");
  await assertVisible(page, ask.getByRole("button", { name: /^Allow once/ }), "Allow once");
  await ask.getByRole("button", { name: /^Allow once/ }).click();
  await chatText(page, "Done: the tools ran.").waitFor();
  await atPrompt(page);
  await tab(page, "Terminal").click();
  await screen(page).getByText("Done: the tools ran.").first().waitFor();
  await checkFit("terminal");
  const rows = await page.locator("[data-terminal] .xterm-rows > div").count();
  assert.ok(rows >= 8, `the terminal has ${rows} rows`);
  await tab(page, "Chat").click();
  await panel(page).getByRole("button", { name: "End", exact: true }).click();
  await dialog.getByRole("button", { name: "End session" }).waitFor();
  await checkFit("end");
  await assertVisible(page, dialog.getByRole("button", { name: "End session" }), "End session");
  await dialog.getByRole("checkbox").uncheck();
  await dialog.getByRole("button", { name: "End session" }).click();
  await chat(page).getByText("Closed sessions are read-only.").waitFor();
  await dialog.waitFor({ state: "detached" });
  await checkFit("closed");
  await page.keyboard.press("Alt+w");
  await tab(page, "History").click();
  const found = page.getByRole("main").getByRole("button", { name: /A title that is much longer/ }).first();
  await found.waitFor();
  await checkFit("history");
  await found.click();
  await page.getByText(/read-only/i).first().waitFor();
  await checkFit("transcript");
  assert.deepEqual(page.errors, []);
});

journey("without WebGL the terminal is still drawn", { needs: ["bd", "claude"], long: true }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  const webgl = () => page.evaluate(() => ["webgl", "webgl2"].map((kind) => document.createElement("canvas").getContext(kind)));
  assert.deepEqual(await webgl(), [null, null], "this browser has WebGL");
  await newSession(page, { title: "By hand", objective: "[[say:Drawn **without** help. 字 é ✓]]" });
  await tab(page, "Terminal").click();
  await screen(page).getByText("Drawn without help. 字 é ✓").first().waitFor();
  await atPromptOfClaude(page);
  await page.keyboard.type("typed here");
  await screen(page).getByText("typed here").first().waitFor();
  await page.keyboard.press("Enter");
  await screen(page).getByText("Reply to: typed here").first().waitFor();
  await coloured(page);
  assert.deepEqual(page.errors, []);
});

/** Waits until claude is at its prompt and the terminal has the focus, so that keys go to claude. */
async function atPromptOfClaude(page) {
  await page.waitForFunction(() => document.activeElement?.closest("[data-terminal]"));
  await tab(page, "Chat").click();
  await atPrompt(page);
  await tab(page, "Terminal").click();
  await page.waitForFunction(() => document.activeElement?.closest("[data-terminal]"));
}

/** Checks that the page does not scroll, and that all controls are inside it or can be scrolled into view. */
async function assertFits(page, name) {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  mkdirSync(artefacts, { recursive: true });
  await page.screenshot({ path: join(artefacts, `small-${name.replaceAll(" ", "-")}.png`) });
  const { scrolls, outside } = await page.evaluate(() => {
    const root = document.scrollingElement;
    const scrolls = root.scrollWidth > innerWidth || root.scrollHeight > innerHeight;
    const outside = [];
    for (const control of document.querySelectorAll("button, input, textarea, [role=tab]")) {
      if (control.closest("[inert], [aria-hidden=true]") || !control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      let scrolled = control.parentElement;
      while (scrolled && !/auto|scroll/.test(getComputedStyle(scrolled).overflow)) scrolled = scrolled.parentElement;
      // Content that can be scrolled into view counts as reachable.
      if (scrolled && scrolled !== root) continue;
      const { left, right, top, bottom, width } = control.getBoundingClientRect();
      if (width > 0 && (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)) {
        outside.push(control.getAttribute("aria-label") ?? control.textContent.trim());
      }
    }
    return { scrolls, outside };
  });
  assert.equal(scrolls, false, `${name}: the page itself scrolls`);
  assert.deepEqual(outside, [], `${name}: controls outside the window`);
}

/** Checks that the element is fully inside the window, and that no other element covers its middle. */
async function assertVisible(page, locator, name) {
  const seen = await locator.first().evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    return { inside, covered: at === null || !(element.contains(at) || at.contains(element)) };
  });
  assert.deepEqual(seen, { inside: true, covered: false }, name);
}
