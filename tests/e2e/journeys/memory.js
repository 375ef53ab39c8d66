// Memories: written by the user and other programs, edited, forgotten, restored, shown as a graph, and saved from a
// session.

import assert from "node:assert/strict";
import { journey } from "../sandbox.js";
import { atPrompt, chatText, confirmEnd, panel, startWork, tab, toast } from "../actions.js";

const list = (page) => page.getByRole("list", { name: "Memories" });
const row = (page, text) => list(page).getByRole("listitem").filter({ hasText: text });
const dialog = (page, name) => page.getByRole("dialog", { name });

journey("memories are written, edited, forgotten and restored, and those of other programs appear", {}, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  await tab(page, "Memory").click();
  await page.getByText("No memories yet").waitFor();
  await page.getByRole("button", { name: "New memory" }).first().click();
  const made = dialog(page, "New memory");
  await made.getByLabel("What to remember").fill("The tests need port 8080 free.");
  await made.getByLabel("Tags").fill("testing");
  await made.getByRole("button", { name: /^Remember/ }).click();
  await toast(page, "Memory saved.").waitFor();
  await row(page, "The tests need port 8080").getByText("testing").waitFor();

  // A memory is stored with the command line, as agents do.
  await sandbox.console("remember", "Tokens are compared in constant time.", "--type", "decision");
  await row(page, "Tokens are compared").getByText("Decision").waitFor();

  // The memory is edited, and other programs read the new text.
  await row(page, "The tests need port 8080").getByRole("button").click();
  const sheet = dialog(page, /^Memory /);
  const key = (await sheet.getAttribute("aria-label")).replace("Memory ", "");
  await sheet.getByRole("button", { name: "Edit" }).last().click();
  await sheet.getByLabel("What to remember").fill("The tests need port 9090 free.");
  await sheet.getByRole("button", { name: "Save" }).click();
  await sheet.getByRole("paragraph").getByText("The tests need port 9090 free.").waitFor();
  assert.match(await sandbox.console("recall", key), /port 9090/);

  // The memory is found by a word that is only in its text.
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  await page.getByRole("textbox", { name: "Search memories" }).fill("9090");
  await page.getByText("1 memory", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByText("2 memories", { exact: true }).waitFor();

  // A memory is forgotten, and Undo restores it.
  await row(page, "Tokens are compared").getByRole("button").click();
  await sheet.getByRole("button", { name: "Forget" }).click();
  await toast(page, "Memory forgotten.").waitFor();
  await row(page, "Tokens are compared").waitFor({ state: "detached" });
  assert.doesNotMatch(await sandbox.console("memories"), /constant time/);
  await page.getByRole("button", { name: "Undo" }).click();
  await row(page, "Tokens are compared").waitFor();
  assert.match(await sandbox.console("memories"), /constant time/);
  assert.deepEqual(page.errors, []);
});

journey("the graph of links is zoomed by keys, wheel and buttons, and fitted into the view", { long: true }, async (sandbox) => {
  const keys = ["root", "left", "right", "leaf-1", "leaf-2", "leaf-3"];
  for (const key of keys) await sandbox.console("remember", `What is known about ${key}.`, "--key", key);
  for (const [child, parent] of [["left", "root"], ["right", "root"], ["leaf-1", "left"], ["leaf-2", "left"], ["leaf-3", "right"]]) {
    await sandbox.console("memory", "link", child, parent);
  }
  await sandbox.serve();
  const page = await sandbox.open();
  await tab(page, "Memory").click();
  await page.getByRole("radio", { name: "Graph" }).click();
  const graph = page.getByRole("group", { name: /^Graph of links/ });
  const zoom = page.getByRole("group", { name: "Zoom" });
  const shows = (percent) => zoom.getByRole("status").getByText(percent, { exact: true }).waitFor({ state: "attached" });
  const scrolled = () => graph.evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
  const waitUntil = (condition, argument) => page.waitForFunction(condition, argument);
  await shows("100 %");

  // "+" zooms around the focused node. Shift with an arrow scrolls; an arrow alone moves the focus to
  // another node.
  const node = graph.getByRole("button", { name: /^What is known about leaf-3/ });
  await node.focus();
  for (let n = 0; n < 3; n++) await page.keyboard.press("+");
  await shows("200 %");
  const at = await node.boundingBox();
  const room = await graph.boundingBox();
  assert.ok(at.x + at.width / 2 > room.x && at.x + at.width / 2 < room.x + room.width, JSON.stringify({ at, room }));
  const before = await scrolled();
  await page.keyboard.press(before[0] > 0 ? "Shift+ArrowLeft" : "Shift+ArrowRight");
  assert.notDeepEqual(await scrolled(), before);
  assert.ok(await node.evaluate((element) => element === document.activeElement));
  await page.keyboard.press("ArrowLeft");
  await waitUntil(() => /^What is known about right/.test(document.activeElement?.getAttribute("aria-label") ?? ""));
  await page.keyboard.press("-");
  await shows("150 %");

  // "0" fits everything into the view.
  await page.keyboard.press("0");
  await waitUntil(() => [...document.querySelectorAll("[data-node]")].every((one) => {
    const [inner, outer] = [one.getBoundingClientRect(), one.closest("[role=group]").getBoundingClientRect()];
    return inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;
  }));

  // The wheel scrolls. With Ctrl, it zooms around the pointer; touchpads report pinching in this way.
  const root = graph.getByRole("button", { name: /^What is known about root/ });
  const { x, y, width, height } = await root.boundingBox();
  const pointer = { x: x + width / 2, y: y + height / 2 };
  const was = await zoom.getByRole("status").textContent();
  await page.mouse.move(pointer.x, pointer.y);
  await page.mouse.wheel(0, -120);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -120);
  await page.keyboard.up("Control");
  await waitUntil((before) => document.querySelector('[aria-label="Zoom"] [role="status"]').textContent !== before, was);
  const now = await root.boundingBox();
  assert.ok(now.x <= pointer.x && now.x + now.width >= pointer.x && now.y <= pointer.y && now.y + now.height >= pointer.y, JSON.stringify({ now, pointer }));

  await zoom.getByRole("button", { name: "Zoom in" }).click();
  await zoom.getByRole("button", { name: /reset zoom/ }).click();
  await shows("100 %");
  await zoom.getByRole("button", { name: "Zoom out" }).click();
  await shows("80 %");
  // A click on a node still opens its memory.
  await root.click();
  await dialog(page, "Memory root").waitFor();
  assert.deepEqual(page.errors, []);
});

journey("claude's text is remembered from its message, and proposed when the session ends", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("Find out about the cache");
  const learned = "Note that the old job empties the cache at midnight.";
  const decided = "Decision: the cache is filled when it is asked, not before.";
  await sandbox.serve();
  const page = await sandbox.open();
  await startWork(page, id, { objective: `[[say:${learned} ${decided}]]` });
  await chatText(page, `${learned} ${decided}`).waitFor();
  await atPrompt(page);

  // The second message is claude's; the first is the prompt.
  await page.getByRole("log", { name: "Conversation" }).getByRole("button", { name: "Remember this" }).nth(1).click();
  const remember = dialog(page, "Remember this");
  assert.equal((await remember.getByLabel("What to remember").inputValue()).trim(), `${learned} ${decided}`);
  assert.equal(await remember.getByLabel("Bead").inputValue(), id);
  await remember.getByLabel("What to remember").fill(learned);
  await remember.getByRole("button", { name: /^Remember/ }).click();
  await toast(page, "Memory saved.").waitFor();

  // Text that is already saved is not proposed again.
  await panel(page).getByRole("button", { name: "End", exact: true }).click();
  const end = dialog(page, /^End /);
  await end.getByRole("button", { name: /^Remember from this session/ }).click();
  const proposed = end.getByRole("listitem");
  await proposed.filter({ hasText: decided }).waitFor();
  assert.equal(await proposed.count(), 1);
  await proposed.getByRole("checkbox").check({ force: true });
  await confirmEnd(end);
  await toast(page, "1 memory saved.").waitFor();

  await tab(page, "Memory").click();
  await row(page, "Note that the old job").waitFor();
  await row(page, "Decision: the cache").getByRole("button").click();
  const sheet = dialog(page, /^Memory /);
  await sheet.getByRole("heading", { name: "Usage" }).waitFor();
  await sheet.getByRole("button", { name: "Find out about the cache" }).waitFor();
  assert.match(await sandbox.console("memories", "--json"), /filled when it is asked/);
  assert.deepEqual(page.errors, []);
});
