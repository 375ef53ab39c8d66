// Hostile text in a bead's title and in claude's reply runs nothing and loads nothing.

import assert from "node:assert/strict";
import { journey } from "../sandbox.js";
import { card, chat, chatText, composer, newSession } from "../actions.js";

journey("a title with HTML, direction marks and escapes is text", {}, async (sandbox) => {
  const hostile = "<img src=x onerror=window.hit=1><script>window.hit=1</script> \u202Egnp.exe &amp;";
  const id = await sandbox.bead(hostile);
  await sandbox.serve();
  const page = await sandbox.open();
  const shown = card(page, id);
  await shown.getByRole("heading").getByText("<img src=x onerror=window.hit=1>").waitFor();
  assert.equal(await shown.locator("img, script").count(), 0);
  await shown.getByRole("heading").getByRole("button").click();
  const sheet = page.getByRole("dialog", { name: `Bead ${id}` });
  await sheet.getByRole("heading", { level: 2 }).getByText("<script>window.hit=1</script>").waitFor();
  const title = await sheet.getByRole("heading", { level: 2 }).textContent();
  assert.doesNotMatch(title, /[\u202A-\u202E\u2066-\u2069\u001B]/, "a direction mark reached the page");
  for (const text of [await shown.textContent(), await page.title()]) assert.doesNotMatch(text, /[\u202A-\u202E\u2066-\u2069\u001B]/);
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.deepEqual(page.requested.filter((url) => url.endsWith("/x")), []);
});

journey("a reply with scripts, links and pictures does nothing and fetches nothing", { needs: ["bd", "claude"] }, async (sandbox) => {
  await sandbox.bead("A bead, so that there is a board");
  await sandbox.serve();
  const page = await sandbox.open();
  const reply = [
    "Harmless beginning.",
    "<script>window.hit=1</script> <img src=https://evil.invalid/a.png onerror=window.hit=1> <iframe src=https://evil.invalid/f></iframe>",
    "![picture](https://evil.invalid/b.png) [press me](javascript:window.hit=1) [a page](https://evil.invalid/page)",
    "<a href=javascript:window.hit=1>raw</a> <svg onload=window.hit=1></svg> <style>body{display:none}</style>",
    "The end of it.",
  ].join("\n\n");
  await newSession(page, { title: "Hostile", objective: `[[say:${reply}]]` });
  await chatText(page, "The end of it.").last().waitFor();
  await composer(page).waitFor();
  const body = page.getByRole("log", { name: "Conversation" });
  assert.equal(await body.locator("script, iframe, style, object, form, svg[onload], [onerror], [onload]").count(), 0);
  assert.equal(await body.locator("a[href^='javascript:' i]").count(), 0);
  for (const word of await body.getByText("press me").all()) await word.click();
  for (const image of await body.locator("img").all()) assert.doesNotMatch((await image.getAttribute("src")) ?? "", /^https?:/);
  await chat(page).getByRole("heading").count();
  assert.equal(await page.evaluate(() => window.hit), undefined);
  const foreign = page.requested.filter((url) => !url.startsWith(sandbox.origin) && !/^(data|blob):/.test(url));
  assert.deepEqual(foreign, []);
});
