// Scenes of starting work and of adopting a conversation.

import { TWO, THREE, dialog, history, press } from "./steps.js";

export const START_SCENES = [
  { name: "start-work", sizes: THREE, go: press("s") },
  {
    name: "start-work-place",
    with: { places: "1" },
    sizes: TWO,
    go: async (page) => {
      await press("s")(page);
      await dialog(page).getByRole("button", { name: /Runs on/ }).click();
      await page.getByRole("menuitem", { name: /build-2/ }).click();
    },
  },
  {
    name: "start-work-pack",
    sizes: TWO,
    go: async (page) => {
      await press("s")(page);
      await dialog(page).getByRole("radio", { name: "2k" }).click();
      await dialog(page).getByText("of 2,000 tokens").waitFor();
      await dialog(page).getByRole("checkbox", { name: "Include Recent commits" }).click();
      await dialog(page).getByRole("button", { name: /^Pin src\/lex\/span/ }).click();
      await dialog(page).getByRole("button", { name: "Unpin src/lex/span.rs" }).waitFor();
      await dialog(page).getByRole("button", { name: /^src\/lex\/span/, expanded: false }).click();
      await dialog(page).getByLabel("Lines 20 to 60 of src/lex/span.rs").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "start-work-wrong",
    sizes: TWO,
    go: async (page) => {
      await press("s")(page);
      await dialog(page).getByText("The branch name is available.").waitFor();
      await dialog(page).getByLabel("Branch").fill("fix/BC 101");
    },
  },
  { name: "start-work-no-claude", with: { with: "no-claude" }, sizes: TWO, go: press("s") },
  { name: "session-new", sizes: THREE, go: press("Alt+n") },
  { name: "history-nothing", sizes: TWO, go: history(async (page) => {
    await page.getByRole("searchbox").or(page.getByRole("textbox")).first().fill("no such thing");
    await page.getByRole("button", { name: /^Begun in Claude Code/ }).waitFor({ state: "detached" });
  }) },
  { name: "history-elsewhere", sizes: TWO, go: history((page) => page.getByRole("button", { name: /^Begun in Claude Code/ }).click()) },
  { name: "adopt", sizes: TWO, go: history(async (page) => {
    await page.getByRole("button", { name: /^Begun in Claude Code/ }).click();
    await page.getByRole("button", { name: /^Adopt Why does the token cache/ }).click();
    await dialog(page).getByLabel("Title").waitFor();
  }) },
  { name: "adopt-in-use", sizes: TWO, go: history(async (page) => {
    await page.getByRole("button", { name: /^Begun in Claude Code/ }).click();
    await page.getByRole("button", { name: /^Adopt Draft the operator grammar/ }).click();
    await dialog(page).getByRole("button", { name: "Adopt", exact: true }).or(dialog(page).getByRole("button", { name: /^Adopt Ctrl/ })).first().click();
    await dialog(page).getByRole("button", { name: "Adopt anyway" }).waitFor();
  }) },
];
