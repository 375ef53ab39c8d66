// Scenes of the tool views in a conversation.

import { scrollToEdge } from "./settle.js";
import { TWO, panel, session } from "./steps.js";

export const TOOL_SCENES = [
  {
    name: "tool-views",
    with: { with: "tool-views" },
    sizes: TWO,
    go: session("Compare tokens by digest", async (page) => {
      await page.keyboard.press("Control+Shift+F");
      for (const name of [/^Bash cargo test -p/, /^Edit src/, /^Grep/, /^Web search/]) await panel(page).getByRole("button", { name }).click();
      await scrollToEdge(page, panel(page).getByRole("button", { name: /^Edit src/ }), "start");
    }),
  },
  {
    name: "tool-views-more",
    with: { with: "tool-views" },
    sizes: TWO,
    go: session("Compare tokens by digest", async (page) => {
      for (const name of [/^github search issues/, /^Agent/, /^Bash npm run dev/, /^Bash cargo test --workspace/]) await panel(page).getByRole("button", { name }).click();
      await panel(page).getByRole("button", { name: /^Transcript/ }).click();
      await panel(page).getByText("ready").first().waitFor();
      await scrollToEdge(page, panel(page).getByRole("button", { name: /^Skill/ }), "start");
    }),
  },
  {
    name: "chat-tasks",
    with: { with: "tool-views" },
    sizes: TWO,
    go: session("Compare tokens by digest", async (page) => {
      await page.keyboard.press("Control+Shift+F");
      await panel(page).getByRole("button", { name: "Tasks 1 of 3" }).click();
      await page.getByRole("button", { name: "Pin beside the conversation" }).click();
    }),
  },
];
