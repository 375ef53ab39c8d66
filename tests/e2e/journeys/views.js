// Every view in both themes: no violation of accessibility, and a picture of it in two sizes.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { artefacts, journey } from "../sandbox.js";
import { atPrompt, card, panel, said, say, screen, startWork, tab } from "../words.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const THEMES = ["dark", "light"];
const SIZES = [{ width: 1280, height: 800 }, { width: 800, height: 600 }];

journey("every view is accessible in both themes, and pictured", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("Look at everything", "--description", "# Why\n\nBecause `it` is **there**.\n\n```rust\nfn main() {}\n```");
  const first = await sandbox.bead("Another one", "-l", "parser,ui", "-t", "bug", "-p", "0");
  await sandbox.bead("It waits", "--deps", first);
  await sandbox.serve();
  const page = await sandbox.open();
  const found = [];
  const look = (name) => pictures(page, name, found);
  const dialog = page.getByRole("dialog");
  const closed = async () => {
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  };

  await card(page, id).waitFor();
  await look("board");
  await card(page, id).getByRole("heading").getByRole("button").click();
  await dialog.getByRole("heading", { name: "Description" }).waitFor();
  await look("bead");
  await closed();
  await page.keyboard.press("c");
  await dialog.getByLabel("Title").waitFor();
  await look("new-bead");
  await closed();
  await page.keyboard.press("Alt+n");
  await dialog.getByLabel("Title").waitFor();
  await look("new-session");
  await closed();
  await page.keyboard.press("Control+k");
  await dialog.getByRole("option").first().waitFor();
  await look("palette");
  await closed();
  await page.getByRole("button", { name: "Settings" }).click();
  await dialog.getByRole("heading", { name: "Theme" }).waitFor();
  await look("settings");
  await closed();
  await page.getByRole("button", { name: "Keys and help" }).click();
  await dialog.getByRole("heading", { name: "Keys" }).waitFor();
  await look("keys");
  await closed();
  await tab(page, "History").click();
  await page.getByText("No sessions", { exact: true }).waitFor();
  await look("history-empty");
  await tab(page, "Board").click();

  await card(page, id).getByRole("button", { name: /^Start work/i }).first().click();
  await dialog.getByText("The name is free.").waitFor();
  await look("start-work");
  await closed();
  await startWork(page, id, { objective: `[[write:${join(sandbox.project, "a.txt")}:one]]` });
  const ask = page.getByRole("region", { name: "claude wants to write a file" });
  await ask.waitFor();
  await look("permission");
  await ask.getByRole("button", { name: /^Allow once/ }).click();
  await said(page, "Done: the tools ran.").waitFor();
  await atPrompt(page);
  await say(page, "[[say:A **list**:\n\n- one\n- two\n\n```js\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |]]");
  await page.getByRole("log", { name: "Conversation" }).getByRole("table").first().waitFor();
  await atPrompt(page);
  await look("chat");
  await tab(page, "Terminal").click();
  await screen(page).getByText("A list").first().waitFor();
  await look("terminal");
  await tab(page, "Chat").click();
  await panel(page).getByRole("button", { name: "End", exact: true }).click();
  await dialog.getByRole("checkbox").waitFor();
  await look("end");
  await dialog.getByRole("button", { name: "End session" }).click();
  await panel(page).getByText("Closed sessions are read only.").waitFor();
  await look("closed");
  await page.keyboard.press("Alt+w");
  await tab(page, "History").click();
  await page.getByRole("main").getByText("Read only").waitFor();
  await look("history");
  assert.deepEqual(found, [], `${found.length} violations:\n${found.join("\n")}`);
});

/** Both themes in both sizes, and what axe says to each. */
async function pictures(page, name, found) {
  mkdirSync(artefacts, { recursive: true });
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    await page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, theme);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      await page.screenshot({ path: join(artefacts, `${name}-${theme}-${size.width}.png`) });
      if (size !== SIZES[0]) continue;
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => {
        const result = await window.axe.run(document, {
          // `region` wants all content in landmarks: toasts, tooltips and open dialogs are by their nature outside of them.
          rules: { region: { enabled: false } },
        });
        return result.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((n) => `${n.html.slice(0, 160)} ${n.any[0]?.message ?? ""}`).join(" | ")}`);
      });
      found.push(...violations.map((violation) => `${name}, ${theme}: ${violation}`));
    }
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize(SIZES[0]);
}
