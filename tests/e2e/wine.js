// The browser step of the journey with the Windows build: Chromium on Linux uses the build's server, which `cargo xtask
// platforms --wine` runs under Wine. The server has an idle session with the simulated agent.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { atPrompt, card, chat, chatText, column, panel, screen, sendPrompt, tab } from "./actions.js";
import { recordPage, saveFailure } from "./failure-report.js";
import { artefacts, chrome, TIMEOUT } from "./sandbox.js";

/** The server's link with its token, the bead of the running session, the bead's title, and the project's folder. */
const [link, bead, title, project] = ["LINK", "BEAD", "TITLE", "PROJECT"].map((name) => {
  const value = process.env[`BC_TEST_WINE_${name}`];
  assert.ok(value, `BC_TEST_WINE_${name} is not set`);
  return value;
});

const log = (page) => page.getByRole("log", { name: "Conversation" });
const changes = (page) => page.getByRole("tabpanel", { name: "Changes" });

test("a user works with a session of the Windows build in a browser", { timeout: 480_000 }, async () => {
  const context = await (await chrome()).newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "dark", reducedMotion: "reduce" });
  context.setDefaultTimeout(TIMEOUT);
  const page = await context.newPage();
  recordPage(page);
  try {
    await work(page);
  } catch (error) {
    process.stderr.write(`KEPT wine: ${await saveFailure(artefacts, "wine", { pages: [page], log: "", project }).catch(String)}\n`);
    throw error;
  } finally {
    await context.close();
  }
});

async function work(page) {
  await page.goto(link);
  await tab(page, "Board").waitFor();
  await column(page, "In progress").getByText(title).waitFor();
  await card(page, bead).waitFor();

  await page.getByRole("region", { name: "Sessions" }).getByRole("button", { name: new RegExp(title) }).first().click();
  await panel(page).waitFor();
  await tab(page, "Chat").click();
  await log(page).getByText(/^Simulated plan for/).first().waitFor();
  await tab(page, "Terminal").click();
  // Wine 8 shows escape sequences as text, which garbles some lines, but not this one.
  await screen(page).getByText("Simulated plan for").first().waitFor();
  await page.screenshot({ path: join(artefacts, "wine-terminal.png") });

  // A prompt from the composer, and one that is typed in the terminal.
  await tab(page, "Chat").click();
  await atPrompt(page);
  await sendPrompt(page, "[[say:an answer to the composer]]");
  await chatText(page, "an answer to the composer").waitFor();
  await atPrompt(page);
  await tab(page, "Terminal").click();
  await page.locator("[data-terminal] textarea:focus").waitFor({ state: "attached" });
  await page.keyboard.type("[[say:an answer to the terminal]]");
  await page.keyboard.press("Enter");
  await tab(page, "Chat").click();
  await chatText(page, "an answer to the terminal").waitFor();
  await atPrompt(page);

  // The user allows a file to be written, and the file appears in the changes.
  await sendPrompt(page, "[[write:page.txt:made in the page]]");
  const request = chat(page).getByRole("region", { name: /wants to write a file$/ });
  await request.getByText("page.txt").first().waitFor();
  await request.getByRole("button", { name: /^Allow once/ }).click();
  await request.waitFor({ state: "detached" });
  await atPrompt(page);
  await tab(page, "Changes").click();
  await changes(page).getByRole("navigation", { name: "Files" }).getByRole("button", { name: /page\.txt/ }).click();
  await changes(page).getByRole("group", { name: "Changes in page.txt" }).getByText("made in the page").waitFor();
  await page.screenshot({ path: join(artefacts, "wine-changes.png") });
  assert.deepEqual(page.errors, []);
  assert.deepEqual(page.printed.filter((line) => / (error|failed|uncaught) /.test(line)), []);
}
