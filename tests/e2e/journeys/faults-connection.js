// Connection faults: a port in use, sockets cut at any frame, and page code that loads late or not at all.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { UNANSWERED, WebSocketProxy } from "../websocket-proxy.js";
import { TIMEOUT, journey, programs } from "../sandbox.js";
import { atPrompt, card, chatText, panel, screen, sendPrompt, startWork, tab } from "../actions.js";

journey("a port in use is reported with the next step", {}, async (sandbox) => {
  await sandbox.serve();
  const args = ["--project", sandbox.project, "serve", "--port", String(sandbox.port)];
  const second = spawn(`${programs}/beads-console`, args, { env: sandbox.env, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  second.stdout.on("data", (bytes) => (stdout += bytes));
  second.stderr.on("data", (bytes) => (stderr += bytes));
  const code = await new Promise((ended) => second.once("close", ended));
  assert.notEqual(code, 0);
  assert.equal(stdout, "");
  assert.match(stderr, new RegExp(`port ${sandbox.port} .*is in use.*--port`, "s"));
  assert.equal(stderr.match(/--port/g).length, 2, `the next step is not stated exactly once: ${stderr}`);
  await sandbox.open();
});

journey("sockets are cut at any frame, and nothing is missing or duplicated", { needs: ["bd", "claude"], long: true }, async (sandbox) => {
  const id = await sandbox.bead("Cut the wire");
  await sandbox.serve();
  const proxy = await WebSocketProxy.start();
  try {
    const page = await sandbox.open(await sandbox.visitor(proxy.options));
    await startWork(page, id, { objective: "[[say:Ready to be cut.]]" });
    await chatText(page, "Ready to be cut.").waitFor();
    await atPrompt(page);

    // Cuts the connection before the answer to the handshake, after no frame, within the first frame, after it, and
    // so on, while claude writes. The page must always show a beginning of the reply, without gaps or repetitions.
    await watchTurns(page);
    proxy.rule = (kind, nth) => (kind === "events" ? cutAt(kind, nth - 1) : Infinity);
    proxy.cut("events");
    let turn = 0;
    while (proxy.cuts.events < CUTS.events) {
      turn += 1;
      await sendPrompt(page, `turn ${turn} [[slow:${WORDS}]]`);
      await answered(page, turn);
    }
    await atPrompt(page);
    assert.deepEqual(await page.evaluate(() => window.wrong), []);

    // A browser that connects afterwards shows the same last turn.
    const other = await openLater(sandbox, page);
    await atPrompt(other);
    for (const each of [page, other]) await answered(each, turn);
    const [seen, fresh] = [await turns(page), await turns(other)];
    assert.deepEqual(seen.at(-1), fresh.at(-1));
    assert.deepEqual(seen.filter(({ turn: n }) => n === turn).length, 1, "a sent message is shown twice");

    // Each new terminal connection redraws the screen.
    await tab(page, "Terminal").click();
    await screen(page).getByText(`word${WORDS - 1}`).first().waitFor();
    proxy.rule = (kind, nth) => (kind === "terminal" ? cutAt(kind, nth - 1) : Infinity);
    proxy.cut("terminal");
    while (proxy.cuts.terminal < CUTS.terminal) {
      turn += 1;
      await sendPrompt(other, `turn ${turn} [[slow:${WORDS}]]`);
      await answered(other, turn);
    }
    proxy.rule = () => Infinity;
    // Waits, because keys would mix with a prompt that the host is still typing into claude.
    await atPrompt(other);
    await tab(other, "Terminal").click();
    await sameScreens(page, other);

    // Typed text arrives once, even if the socket is cut right after the echo.
    await page.keyboard.press("Control+`");
    await page.keyboard.press("Control+`");
    await page.waitForFunction(() => document.activeElement?.closest("[data-terminal]"));
    proxy.rule = (kind) => (kind === "terminal" ? SCREEN + 1 : Infinity);
    proxy.cut("terminal");
    const before = proxy.cuts.terminal;
    for (const letter of "abcdefghijkl") {
      await waitUntil(() => proxy.passed.terminal === SCREEN);
      const cuts = proxy.cuts.terminal;
      await page.keyboard.press(letter);
      // The socket may already be connected again, with a new screen, before this check runs.
      await waitUntil(() => proxy.cuts.terminal > cuts || proxy.passed.terminal !== SCREEN);
    }
    assert.ok(proxy.cuts.terminal - before >= 10, `cut ${proxy.cuts.terminal - before} times`);
    proxy.rule = () => Infinity;
    await screen(other).getByText(/^❯\s?a?b?c?d?e?f?g?h?i?j?k?l\s*$/).waitFor();
    await sameScreens(page, other);
    assert.deepEqual([...page.errors, ...other.errors], []);
  } finally {
    await proxy.end();
  }
});

const CUTS = { events: 28, terminal: 18 };
/** The number of a terminal's first frames: its size and its screen. */
const SCREEN = 2;
const WORDS = 24;

/** The position at which the nth connection is cut, in frames. */
const cutAt = (kind, nth) => (nth < 0 || nth >= CUTS[kind] ? Infinity : nth === 0 ? UNANSWERED : (nth - 1) / 2);

const turns = (page) => page.evaluate(() => window.turns());

/**
 * Checks the conversation after every change: in each turn, no word before the last shown one is missing or
 * repeated. The first three violations are in `window.wrong`.
 */
async function watchTurns(page) {
  await page.evaluate(() => {
    const log = document.querySelector("[role=log]");
    window.turns = () =>
      log.innerText.split(/turn (?=\d+ \[\[)/).slice(1).map((text) => ({
        turn: Number.parseInt(text, 10),
        words: [...text.matchAll(/word(\d+)/g)].map((found) => Number(found[1])),
      }));
    window.wrong = [];
    const check = () => {
      const wrong = window.turns().find(({ words }) => words.some((word, place) => word !== place));
      if (wrong && window.wrong.length < 3) window.wrong.push(wrong);
    };
    new MutationObserver(check).observe(log, { childList: true, subtree: true, characterData: true });
  });
}

/** Waits until the turn is shown with all its words. A text sent before that would be queued, and typed at an
 * unknown time. */
async function answered(page, turn) {
  await page.waitForFunction(
    ({ turn, words }) => window.turns().at(-1)?.turn === turn && window.turns().at(-1).words.length === words,
    { turn, words: WORDS },
    { timeout: TIMEOUT },
  );
}

/** Opens the same session in another browser, without the proxy. */
async function openLater(sandbox, page) {
  const context = await sandbox.visitor();
  const other = await sandbox.open(context);
  await other.getByRole("region", { name: "Sessions" }).getByRole("button", { name: /Cut the wire/ }).first().click();
  await panel(other).waitFor();
  await watchTurns(other);
  return other;
}

const rows = (page) => page.locator("[data-terminal] .xterm-rows > div").allTextContents();

async function waitUntil(holds) {
  for (const end = Date.now() + TIMEOUT; !holds(); await new Promise((done) => setTimeout(done, 5))) {
    assert.ok(Date.now() < end, `timeout: ${holds}`);
  }
}

/** Waits until two browsers show the same screen. */
async function sameScreens(one, two) {
  let [a, b] = [[], []];
  for (const until = Date.now() + TIMEOUT; Date.now() < until; await new Promise((done) => setTimeout(done, 100))) {
    [a, b] = await Promise.all([rows(one), rows(two)]);
    if (a.length > 0 && a.join("\n") === b.join("\n")) return;
  }
  assert.deepEqual(a, b);
}

journey("keys typed before the palette's code has loaded go to the palette", { long: true }, async (sandbox) => {
  const id = await sandbox.bead("On the board");
  await sandbox.serve();
  const context = await sandbox.visitor();
  let release;
  const released = new Promise((done) => (release = done));
  await context.route("**/assets/Dialogs*.js", async (route) => {
    await released;
    await route.continue();
  });
  const page = await sandbox.open(context);
  // The filter has the focus, but must not receive the keys after Ctrl+K.
  await card(page, id).waitFor();
  const find = page.getByRole("textbox", { name: "Filter beads" });
  await find.focus();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("keybox");
  await page.keyboard.press("Backspace");
  assert.equal(await find.inputValue(), "");
  release();
  const palette = page.getByRole("combobox", { name: "Command palette" });
  await palette.waitFor();
  await page.keyboard.type("ard");
  assert.equal(await palette.inputValue(), "keyboard");
});

journey("a menu whose code cannot be loaded reports it, and opens once it can", { long: true }, async (sandbox) => {
  const id = await sandbox.bead("On the board");
  await sandbox.serve();
  const context = await sandbox.visitor();
  await context.route("**/assets/MenuShown*.js", (route) => route.abort());
  const page = await sandbox.open(context);
  await card(page, id).waitFor();
  const filter = page.getByRole("button", { name: "Filter", exact: true });
  const notice = page.getByRole("status").getByText("Part of this page could not be loaded");
  await filter.click();
  await notice.waitFor();
  await filter.click();
  assert.equal(await page.getByRole("menu").count(), 0);
  assert.equal(await notice.count(), 1);
  await context.unroute("**/assets/MenuShown*.js");
  await filter.click();
  await page.getByRole("menu").waitFor();
});
