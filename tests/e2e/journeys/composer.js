// The composer with claude: images, the prompt queue, recalled messages, drafts, oversized input, and a paused
// session. Also the output of a running command.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { journey, waitUntil } from "../sandbox.js";
import { atPrompt, chat, chatText, composer, newSession, panel, sendPrompt, toast } from "../actions.js";

const needs = ["bd", "claude"];

/** An image of 8 by 8 pixels, as base64. */
const IMAGE =
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAA0ElEQVR4nGNgYOcTlVHWMrSwd/MNiU7KLCiva+2ZPGshA6+ItJKmgbmdq09wVGJGflltS/ekmQuWr2OQUtTQN7N18Q6KTEjPK61p7po4Y/6ytVt2M6jrmdo4ewVGxKflllQ3dU6YPm/pms27Dp5gMLF28gwIj0vNKa5q7OifNnfJ6k07Dxw/d5XB0cM/LDYlu6iyob1v6pzFqzbu2H/s7JXbjxj8QmOSswor6tt6p8xetHLD9n1Hz1y+9fDFewYkF65Yv23vkdOXbj54/u7rHwDxSl6BYkTbfwAAAABJRU5ErkJggg==";

const queue = (page) => page.getByRole("list", { name: "Queued messages" });
const files = (page) => page.getByRole("list", { name: "Attached files" });

/** Pastes a file of `size` bytes into the composer; without a size, `IMAGE`. */
const paste = (page, name, size = null) =>
  composer(page).evaluate(
    (field, [image, name, size]) => {
      const bytes = size === null ? Uint8Array.from(atob(image), (c) => c.charCodeAt(0)) : new Uint8Array(size);
      const data = new DataTransfer();
      data.items.add(new File([bytes], name, { type: "image/png" }));
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    },
    [IMAGE, name, size],
  );

journey("images are pasted into the composer and reach claude; an oversized one is refused", { needs, long: true }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  await newSession(page, { title: "Pictures", objective: "[[say:Ready.]]" });
  await chatText(page, "Ready.").first().waitFor();
  await atPrompt(page);

  await composer(page).fill("what is this?");
  await paste(page, "huge.png", 50 * 1024 * 1024);
  await toast(page, /huge\.png was not attached: it has 50 MB/).first().waitFor();
  assert.equal(await composer(page).inputValue(), "what is this?");

  await paste(page, "shot.png");
  await files(page).getByText("shot.png").waitFor();
  await composer(page).press("Enter");
  await chat(page).locator("img[src^='data:image/png']").first().waitFor();
  assert.equal(await files(page).count(), 0);
  await atPrompt(page);
  const [id] = readdirSync(join(sandbox.project, ".beads", "sessions")).filter((name) => /^[0-9a-f-]{36}$/.test(name));
  const messages = readFileSync(join(sandbox.project, ".beads", "sessions", id, "messages.jsonl"), "utf8");
  assert.match(messages, /"images":\[\{"name":"[0-9a-f]{32}\.png"/);
  assert.deepEqual(page.errors, []);
});

journey("queued messages are edited, reordered, removed and sent at once", { needs }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  await newSession(page, { title: "Queue", objective: "[[say:Ready.]]" });
  await chatText(page, "Ready.").first().waitFor();
  await atPrompt(page);
  await sendPrompt(page, "[[stall]] begin");
  await chat(page).getByText(/^W(orking|riting)/).waitFor();
  // Like a user, enters each message when the composer is empty again.
  for (const text of ["one", "two", "three", "four"]) {
    await composer(page).fill(text);
    await composer(page).press("Enter");
    assert.equal(await composer(page).inputValue(), "");
  }
  await queue(page).getByRole("button", { name: "Move message 4 of 4" }).waitFor();
  const order = () => queue(page).locator("li .text").allTextContents();
  assert.equal((await order()).join(), "one,two,three,four");

  await queue(page).getByRole("button", { name: "Move message 3 of 4" }).press("Alt+ArrowUp");
  await waitUntil(async () => (await order()).join() === "one,three,two,four");
  const row = (text) => queue(page).locator("li").filter({ hasText: text });
  await row("four").getByRole("button", { name: "Remove message" }).click();
  await waitUntil(async () => (await order()).join() === "one,three,two");
  await row("two").getByRole("button", { name: "Edit message" }).click();
  await page.getByRole("textbox", { name: "Queued message" }).fill("two, changed");
  await page.keyboard.press("Enter");
  await waitUntil(async () => (await order()).join() === "one,three,two, changed");

  // “Send now” moves a message to the front; the others keep their order.
  await row("three").getByRole("button", { name: "Send now" }).click();
  await chatText(page, "Reply to: two, changed").waitFor();
  const replies = await page.getByRole("log", { name: "Conversation" }).getByText(/^Reply to: /).allTextContents();
  assert.deepEqual(replies, ["Reply to: three", "Reply to: one", "Reply to: two, changed"]);
  await queue(page).waitFor({ state: "detached" });
  assert.deepEqual(page.errors, []);
});

journey("unsent messages survive, earlier ones are recalled, and a message resumes a paused session", { needs }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  await newSession(page, { title: "Drafts", objective: "[[say:Ready.]]" });
  await chatText(page, "Ready.").first().waitFor();
  await atPrompt(page);
  await sendPrompt(page, "- first point");
  await chatText(page, "Reply to: - first point").waitFor();
  await atPrompt(page);
  await sendPrompt(page, "!ls");
  await chatText(page, "Reply to: !ls").waitFor();
  await atPrompt(page);

  await composer(page).press("ArrowUp");
  await waitUntil(async () => (await composer(page).inputValue()).trim() === "!ls");
  await composer(page).press("ArrowUp");
  await waitUntil(async () => (await composer(page).inputValue()) === "- first point");
  await composer(page).fill("half a thought");

  // The draft is stored on disk with the session, so other browsers also show it.
  const sessions = join(sandbox.project, ".beads", "sessions");
  const [id] = readdirSync(sessions).filter((name) => /^[0-9a-f-]{36}$/.test(name));
  const draft = join(sessions, id, "person", "draft.json");
  await waitUntil(() => {
    try {
      return JSON.parse(readFileSync(draft, "utf8")).text === "half a thought";
    } catch {
      return false;
    }
  });
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await waitUntil(async () => (await composer(page).inputValue()) === "half a thought");

  // A text of a megabyte cannot be sent, but it can be attached.
  await composer(page).fill("x".repeat(1 << 20));
  await panel(page).getByText(/larger than 256 KB/).waitFor();
  assert.equal(await panel(page).getByRole("button", { name: /^Send(?! now)/ }).isDisabled(), true);
  await panel(page).getByRole("button", { name: "Attach it as a file" }).click();
  await files(page).getByText("message.txt").waitFor();
  await files(page).getByRole("button", { name: "Remove message.txt" }).click();

  await panel(page).getByRole("button", { name: "Pause" }).click();
  await panel(page).getByRole("button", { name: "Resume and send" }).waitFor();
  await composer(page).fill("[[say:Back again.]]");
  await composer(page).press("Enter");
  await chatText(page, "Back again.").first().waitFor();
  assert.equal(await composer(page).inputValue(), "");
  assert.deepEqual(page.errors, []);
});

journey("the output of a running command is shown while it runs", { needs, long: true }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  await newSession(page, { title: "Output", objective: "[[bash:echo tick one && tail -f /dev/null]]" });
  await chat(page).getByRole("region", { name: /wants to run Bash/ }).getByRole("button", { name: /^Allow once/ }).click();
  const line = chat(page).getByRole("button", { name: /^Bash .*tick one/ });
  await line.click();
  await chat(page).getByLabel("Output so far").getByText("tick one").waitFor();
  await panel(page).getByRole("button", { name: /^Stop/ }).click();
  await atPrompt(page);
  assert.deepEqual(page.errors, []);
});
