// Text faults: too much text, too many cards, and text with markup or control characters.

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey } from "../sandbox.js";
import { programs, run } from "../environment.js";
import { atPrompt, card, chatText, column, confirmEnd, newSession, panel, screen, sendPrompt, tab, toast } from "../actions.js";

/** Characters that reverse or hide text, or control a terminal. */
const MARKS = "\u001b[31m\u0007\u202e\u2066\u200b\u009b";
const HTML = "<img src=https://evil.invalid/t.png onerror=window.hit=1><script>window.hit=1</script>";
/** Characters that the page must not contain. */
const FORBIDDEN = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/;

journey("titles, labels and names with HTML, direction marks and escapes are plain text everywhere", { needs: ["bd", "claude"], long: true }, async (sandbox) => {
  const hostile = { title: `Title ${HTML} ${MARKS}end`, labels: [`label${MARKS}`, "<b>bold</b>"], assignee: `alice${MARKS}`, issue_type: "task", priority: 1 };
  const asked = { title: `Ask ${MARKS}here`, description: `${HTML}\n\n![a](https://evil.invalid/d.png)\n\n[go](javascript:window.hit=1) ${MARKS}` };
  const ids = await imported(sandbox, [hostile, asked]);
  await sandbox.serve();
  const page = await sandbox.open();
  const policy = await violations(page);

  // The board, its filter, and the sheets.
  await card(page, ids[0]).getByRole("heading").getByText(HTML).waitFor();
  await assertNoMarks(page, "the board");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("menu").first().waitFor();
  await assertNoMarks(page, "the filter");
  await page.keyboard.press("Escape");
  const sheet = page.getByRole("dialog");
  for (const id of ids) {
    await card(page, id).getByRole("heading").getByRole("button").click();
    await sheet.getByRole("heading", { level: 2 }).waitFor();
    await sheet.getByText("Loading…").waitFor({ state: "detached" });
    assert.equal(await sheet.locator("img, script").count(), 0);
    if (id === ids[0]) await assertNoMarks(page, "the sheet");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Title");
  await sheet.getByRole("option").first().waitFor();
  await assertNoMarks(page, "the palette");
  await page.keyboard.press("Escape");

  // A session with a hostile title, and a reply with active content.
  const reply = [
    "Harmless beginning.", HTML, "<iframe src=https://evil.invalid/f></iframe><svg onload=window.hit=1></svg><style>body{display:none}</style>",
    "![picture](https://evil.invalid/b.png) [press me](javascript:window.hit=1) [data](data:text/html,<script>window.hit=1</script>) <a href=javascript:window.hit=1>raw</a>",
    "![inline](data:image/svg+xml;base64,PHN2Zy8+) <https://evil.invalid/page> [ref]", "[ref]: javascript:window.hit=1", "The end of it.",
  ].join("\n\n");
  await newSession(page, { title: `Session ${HTML} ${MARKS}end`, objective: `[[say:${reply}]]` });
  await chatText(page, "The end of it.").last().waitFor();
  await atPrompt(page);
  await assertHarmless(page, page.getByRole("log", { name: "Conversation" }));
  await assertNoMarks(page, "the panel", "[role=log]");

  // Hidden characters in the user's own text do no harm, and permission requests do not show them.
  await sendPrompt(page, `marks \u202e in \u200b the \u2066 text`);
  await chatText(page, /^Reply to: marks +in.* the +text$/).waitFor();
  await atPrompt(page);
  await sendPrompt(page, "[[bash:touch '/tmp/<b>bold</b>' \u202e txt.exe]]");
  const ask = page.getByRole("region", { name: "claude wants to run Bash" });
  await ask.getByText(/^touch '\/tmp\/<b>bold<\/b>' +txt\.exe$/).waitFor();
  await assertNoMarks(page, "the permission", "[role=log]");
  await ask.getByRole("button", { name: /^Deny…/ }).click();
  await ask.getByRole("button", { name: "Deny", exact: true }).click();
  await ask.waitFor({ state: "detached" });
  await atPrompt(page);
  await tab(page, "Terminal").click();
  await screen(page).getByText("in").first().waitFor();
  await tab(page, "Chat").click();

  // The session is ended, opened again and exported.
  await panel(page).getByRole("button", { name: "End", exact: true }).click();
  await assertNoMarks(page, "the dialog", "[role=log]");
  await confirmEnd(sheet);
  await toast(page, /ended$/).waitFor();
  await assertNoMarks(page, "the toast", "[role=log]");
  await page.keyboard.press("Alt+w");
  await tab(page, "History").click();
  await page.getByRole("main").getByRole("button", { name: /^.*Session <img/ }).first().click();
  await page.getByRole("main").getByText("Read-only").waitFor();
  await assertNoMarks(page, "the history", "[role=log]");
  await assertHarmless(page, page.getByRole("main"));
  const download = page.waitForEvent("download");
  await page.getByRole("main").getByRole("button", { name: "Export Markdown" }).first().click();
  const exported = await download;
  assert.match(exported.suggestedFilename(), /^[\w.-]+\.md$/);
  assert.doesNotMatch(readFileSync(await exported.path(), "utf8"), /[\u0000-\u0008\u000e-\u001f\u202a-\u202e\u2066-\u2069]/);

  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.deepEqual(policy(), [], "the content security policy blocked something");
  const foreign = page.requested.filter((url) => !url.startsWith(sandbox.origin) && !url.startsWith("data:") && !url.startsWith("blob:"));
  assert.deepEqual(foreign, []);
  assert.deepEqual(page.errors, []);
});

journey("a bead of one megabyte opens and closes like any other", { long: true }, async (sandbox) => {
  const line = "A line with **bold** words, `code` and [a link](https://example.org/x).\n\n";
  const large = { title: "As large as a book", description: `# The beginning\n\n${line.repeat(Math.ceil(2 ** 20 / line.length))}The very end.` };
  const nasty = ["[".repeat(2 ** 18), "*a_ ".repeat(2 ** 16), "> ".repeat(2 ** 16), "`".repeat(2 ** 17), "<a ".repeat(2 ** 15)];
  const [id, ...others] = await imported(sandbox, [large, ...nasty.map((description, n) => ({ title: `Bad for a reader ${n}`, description }))]);
  await sandbox.serve();
  const page = await sandbox.open();
  const sheet = page.getByRole("dialog", { name: `Bead ${id}` });
  await card(page, id).getByRole("heading").getByRole("button").click();
  await sheet.getByRole("heading", { name: "The beginning" }).waitFor();
  const length = () => sheet.evaluate((element) => element.textContent.length);
  assert.ok((await length()) < 100_000, "the page contains the whole text at once");
  await sheet.getByRole("button", { name: /^Show [\d,]+ more characters as plain text$/ }).click();
  await sheet.getByText("The very end.").waitFor();
  assert.ok((await length()) > 1_000_000);
  await sheet.getByRole("button", { name: "Close" }).click();
  await sheet.waitFor({ state: "detached" });

  for (const other of others) {
    const next = page.getByRole("dialog", { name: `Bead ${other}` });
    await card(page, other).getByRole("heading").getByRole("button").click();
    await next.getByRole("button", { name: /^Show [\d,]+ more/ }).waitFor();
    await page.keyboard.press("Escape");
    await next.waitFor({ state: "detached" });
  }
  assert.deepEqual(page.errors, []);
});

journey("a column of two thousand cards is loaded, scrolled and navigated by keys", { needs: [], long: true }, async (sandbox) => {
  // The beads are in the embedded store, because the real bd would need a minute for 2000 of them.
  const many = 2000;
  const beads = join(sandbox.project, ".beads");
  rmSync(beads, { recursive: true });
  await run(join(programs, "beads-console"), ["--project", sandbox.project, "init", "--prefix", "many"], { env: sandbox.env });
  const at = new Date(0).toISOString();
  const bead = (n) => ({ id: `many-${n}`, title: `Card number ${n}`, status: "open", priority: 2, issue_type: "task", created_at: new Date(n * 1000).toISOString(), updated_at: at });
  writeFileSync(join(beads, "issues.jsonl"), Array.from({ length: many }, (_, n) => JSON.stringify(bead(n))).join("\n") + "\n");
  await sandbox.serve();
  const page = await sandbox.open();
  const ready = column(page, "Ready");
  await page.getByRole("region", { name: `Ready, ${many.toLocaleString("en-US")}` }).waitFor();
  await card(page, "many-0").waitFor();
  const inPage = () => ready.getByRole("article").count();
  assert.ok((await inPage()) < 60, `${await inPage()} cards are in the page`);

  // Scrolls to the end with the wheel.
  await ready.hover();
  for (let turn = 0; (await card(page, `many-${many - 1}`).count()) === 0; turn += 1) {
    assert.ok(turn < 200, "the end of the column was not reached");
    await page.mouse.wheel(0, 20_000);
  }
  await card(page, `many-${many - 1}`).waitFor();
  assert.ok((await inPage()) < 60);
  assert.equal(await card(page, "many-0").count(), 0);

  // The list scrolls with the cursor, card by card.
  await page.keyboard.press("j");
  await page.waitForFunction(() => document.activeElement?.closest("article"));
  for (let n = 2; n <= 30; n += 1) {
    await page.keyboard.press("j");
    await page.waitForFunction((id) => document.activeElement?.closest("article")?.getAttribute("aria-label")?.startsWith(`${id}, `), `many-${n}`);
  }
  assert.ok(await card(page, "many-30").evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Bead many-30" }).getByRole("heading", { name: "Card number 30" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("/");
  await page.keyboard.type("number 1999");
  await page.getByText(`1 of ${many.toLocaleString("en-US")} beads`).or(page.getByText(`1 of ${many} beads`)).waitFor();
  await card(page, "many-1999").waitFor();
  assert.deepEqual(page.errors, []);
});

/** Imports beads with bd; returns their IDs. */
async function imported(sandbox, beads) {
  const file = join(sandbox.base, "beads.jsonl");
  writeFileSync(file, beads.map((bead) => JSON.stringify(bead)).join("\n"));
  return JSON.parse(await sandbox.bd("import", file, "--json")).ids;
}

/** Collects violations of the content security policy from now on. Returns a function that returns them. */
async function violations(page) {
  const found = [];
  page.on("console", (message) => /Content Security Policy/i.test(message.text()) && found.push(message.text()));
  return () => found;
}

/** Checks that no text or attribute contains a control, direction or zero-width character, except within
 * elements that match the selector `except`. */
async function assertNoMarks(page, where, except = "nothing") {
  const found = await page.evaluate(
    ([source, except]) => {
      const mark = new RegExp(source);
      const found = mark.test(document.title) ? [document.title] : [];
      for (const element of document.querySelectorAll("*")) {
        if (element.closest(except) || element.matches("script, style")) continue;
        for (const { name, value } of element.attributes) if (mark.test(value)) found.push(`${element.tagName} ${name}=${JSON.stringify(value)}`);
        for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE && mark.test(node.data)) found.push(`${element.tagName} ${JSON.stringify(node.data)}`);
      }
      return found;
    },
    [FORBIDDEN.source, except],
  );
  assert.deepEqual(found, [], where);
  assert.equal(await page.evaluate(() => window.hit), undefined, where);
}

/** Checks that the body has no element that runs or loads anything, and no link to a script. */
async function assertHarmless(page, body) {
  assert.equal(await body.locator("script, iframe, object, embed, form, img, video, audio, base, link, meta, [onerror], [onload], [onclick]").count(), 0);
  const links = await body.locator("a").evaluateAll((all) => all.map((link) => ({ href: link.getAttribute("href"), rel: link.rel, target: link.target })));
  for (const { href, rel, target } of links) {
    if (href === null) continue;
    assert.match(href, /^(https?|mailto):/);
    assert.deepEqual([rel, target], ["noopener noreferrer", "_blank"]);
  }
  for (const word of await body.getByText("press me").all()) await word.click();
  assert.equal(await page.evaluate(() => window.hit), undefined);
}
