// Journeys: the inbox of all projects with answers in place, desktop notifications, and plans and questions of the
// real claude.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { journey, waitUntil } from "../sandbox.js";
import {
  atPrompt,
  chat,
  chatText,
  composer,
  newSession,
  panel,
  sendPrompt,
} from "../actions.js";

const needs = ["bd", "claude"];
const inbox = (page) => page.getByRole("tabpanel", { name: /^Needs you/ });
const group = (page, name) => inbox(page).getByRole("region", { name });

/** Replaces the browser's notifications with ones that the test can read. */
async function recordNotifications(page) {
  await page.addInitScript(() => {
    window.notes = [];
    window.Notification = class extends EventTarget {
      static permission = "granted";
      static requestPermission = async () => "granted";
      constructor(title, options) {
        super();
        Object.assign(this, { title, ...options, open: true });
        window.notes.push(this);
      }
      close() {
        this.open = false;
        this.dispatchEvent(new Event("close"));
      }
    };
  });
}

/** Waits until the output of a tool call matches this pattern. */
const claudeSaw = (sandbox, text) =>
  waitUntil(() =>
    sandbox
      .messages()
      .some(({ tool_calls }) =>
        tool_calls?.some(({ output }) => text.test(output ?? "")),
      ),
  );

const notes = (page) =>
  page.evaluate(() => window.notes.map(({ title, open }) => ({ title, open })));

/** Makes the page believe that its window has lost (`on` false) or regained the focus. */
const focus = (page, on) =>
  page.evaluate((on) => {
    document.hasFocus = () => on;
    window.dispatchEvent(new Event(on ? "focus" : "blur"));
  }, on);

journey(
  "needs of the user are listed in one inbox, announced, and answered in place",
  { needs },
  async (sandbox) => {
    const file = (name) => join(sandbox.project, name);
    await sandbox.serve();
    const page = await sandbox.open();
    await recordNotifications(page);
    await page.reload();
    await newSession(page, {
      title: "Asks",
      objective: `[[write:${file("one.txt")}:yes]]`,
    });
    await page
      .getByRole("region", { name: "claude wants to write a file" })
      .waitFor();
    assert.deepEqual(await notes(page), [], "a request that is on the screen was announced");
    await page.waitForFunction(() => document.title.startsWith("(1) "));

    // The inbox has the request; one key answers it.
    await page.getByRole("button", { name: "Needs you: 1" }).click();
    await page.keyboard.press("Alt+w");
    await panel(page).waitFor({ state: "detached" });
    const permissions = group(page, "Permissions: 1");
    await permissions.getByText("claude wants to write a file").waitFor();
    await permissions.getByText("one.txt").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("y");
    const turn = group(page, "Your turn: 1");
    await turn.getByText("Done: the tools ran.").waitFor();
    assert.equal(readFileSync(file("one.txt"), "utf8").trim(), "yes");

    // While the window is in the background, the next request is announced; once it is answered elsewhere, the
    // notification is withdrawn.
    await turn.getByRole("button", { name: /^Reply…/ }).click();
    await atPrompt(page);
    await focus(page, false);
    await sendPrompt(page, `[[write:${file("two.txt")}:yes]]`);
    await page.waitForFunction(() =>
      window.notes.some(
        ({ title, open }) => /^Allow write of two.txt/.test(title) && open,
      ),
    );
    const [listed] = JSON.parse(
      await sandbox.console("session", "needs", "--json"),
    ).items;
    assert.equal(listed.kind, "permission");
    await sandbox.console(
      "session",
      "permission",
      listed.session,
      listed.request.id,
      "--deny",
    );
    await page.waitForFunction(() =>
      window.notes.every(({ title, open }) => !/two.txt/.test(title) || !open),
    );
    assert.equal(existsSync(file("two.txt")), false);
    await page.waitForFunction(() =>
      window.notes.some(
        ({ title, open }) => /^Your turn: Asks/.test(title) && open,
      ),
    );
    await focus(page, true);
    await page.waitForFunction(() => window.notes.every(({ open }) => !open));

    // A request can also be answered in the sidebar.
    await sendPrompt(page, `[[write:${file("three.txt")}:yes]]`);
    const sidebar = page.getByRole("region", {
      name: "Needs you",
      exact: true,
    });
    await sidebar.getByText("Allow write of three.txt").hover();
    await sidebar
      .getByRole("button", { name: "Allow once: Allow write of three.txt" })
      .click();
    await sidebar.getByText(/^Your turn/).waitFor();
    assert.equal(readFileSync(file("three.txt"), "utf8").trim(), "yes");
    assert.deepEqual(page.errors, []);
  },
);

const ONE =
  '[[tool:AskUserQuestion:{"questions":[{"question":"Which store?","header":"Store","options":[{"label":"File","description":"beside"},{"label":"KMS","description":"remote"}]}]}]]';
const SEVERAL =
  '[[tool:AskUserQuestion:{"questions":[{"question":"Which colour?","header":"Colour","multiSelect":false,"options":[{"label":"Red","description":"r"},{"label":"Blue","description":"b"}]},{"question":"Which fruits?","header":"Fruits","multiSelect":true,"options":[{"label":"Apple","description":"a"},{"label":"Pear","description":"p"}]}]}]]';

journey(
  "claude's questions are answered in the inbox and in the chat, with keys and the user's own text",
  { needs },
  async (sandbox) => {
    await sandbox.serve();
    const page = await sandbox.open();
    await newSession(page, { title: "Asks", objective: ONE });
    const card = page.getByRole("region", { name: "claude has a question" });
    await card.waitFor();

    // The inbox shows the choices of a single question.
    await page.getByRole("button", { name: "Needs you: 1" }).click();
    // Clicks are ignored for a moment after the rows have moved.
    const choice = group(page, "Questions: 1").getByRole("button", { name: /^KMS/ });
    await waitUntil(async () => {
      if ((await choice.count()) > 0) await choice.click();
      return (await card.count()) === 0;
    });
    await chatText(page, "Done: the tools ran.").first().waitFor();
    await claudeSaw(sandbox, /Which store\?.*KMS/s);

    // For several questions, digits choose while the card has the focus; in a text field they are text.
    await atPrompt(page);
    await sendPrompt(page, SEVERAL);
    await card.waitFor();
    await card.focus();
    await page.keyboard.press("2");
    await page.keyboard.press("4");
    assert.equal(
      await card.getByRole("radio", { name: /^Blue/ }).isChecked(),
      true,
    );
    assert.equal(
      await card.getByRole("checkbox", { name: /^Apple/ }).isChecked(),
      true,
    );
    await card
      .getByRole("textbox", { name: "Other answer to: Which fruits?" })
      .fill('3 plums, "ripe"');
    await card.getByRole("button", { name: /^Submit/ }).click();
    await card.waitFor({ state: "detached" });
    await chatText(page, "Done: the tools ran.").nth(1).waitFor();
    await claudeSaw(sandbox, /Blue/s);
    await claudeSaw(sandbox, /Apple, 3 plums/s);
    assert.deepEqual(page.errors, []);
  },
);

journey(
  "a plan is sent back with remarks on its lines, and approved in a mode",
  { needs },
  async (sandbox) => {
    await sandbox.serve();
    const page = await sandbox.open();
    await newSession(page, { title: "Plans", objective: "[[say:Here.]]" });
    await chatText(page, "Here.").first().waitFor();
    await atPrompt(page);
    await composer(page).focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await panel(page)
      .getByRole("button", { name: /^Permission mode: Plan/ })
      .waitFor();
    const plan = "[[tool:ExitPlanMode:{}]]";
    await sendPrompt(
      page,
      '[[tool:Write:{"file_path":"PLAN_FILE","content":"# Move it\\n\\n1. First step\\n2. Second step with javascript:alert(1) [x](javascript:alert(1))\\n"}]]',
    );
    await chatText(page, "Done: the tools ran.").first().waitFor();
    await atPrompt(page);
    await sendPrompt(page, plan);
    const card = page.getByRole("region", { name: "claude has a plan" });
    await card.getByText("First step").waitFor();
    assert.equal(await card.locator("a[href^='javascript']").count(), 0);

    await card.getByRole("button", { name: "Remark on line 3" }).click();
    await card
      .getByRole("textbox", { name: "Remark on line 3" })
      .fill('Say "why" first.');
    await page.keyboard.press("Enter");
    await card.getByText("1 remark", { exact: false }).first().waitFor();
    await card.getByRole("button", { name: "Send back with 1 remark" }).click();
    await card.waitFor({ state: "detached" });
    await claudeSaw(sandbox, /Line 3:.*> 1\. First step.*Say .*why.* first\./s);

    await atPrompt(page);
    await sendPrompt(page, plan);
    await card
      .getByRole("button", { name: "Approve with another mode" })
      .click();
    await page
      .getByRole("menuitem", { name: /^Approve and accept edits/ })
      .click();
    await card.waitFor({ state: "detached" });
    await panel(page)
      .getByRole("button", { name: /^Permission mode: Accept edits/ })
      .waitFor();
    await chatText(page, "Done: the tools ran.").nth(1).waitFor();
    assert.deepEqual(page.errors, []);
  },
);
