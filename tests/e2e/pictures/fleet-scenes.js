// Scenes of the fleet: agents, work, the merge queue, reviews, settings, places and terminals.

import { USUAL, TWO, THREE, dialog, tab, panel, session, turns, press, fleet, fleetSettings } from "./steps.js";

export const FLEET_SCENES = [
  { name: "fleet", sizes: THREE, go: fleet() },
  { name: "fleet-empty", with: { with: "no-fleet" }, sizes: TWO, go: fleet() },
  { name: "fleet-failed", with: { with: "fleet-failed" }, sizes: TWO, go: async (page) => {
    await tab(page, "Fleet").click();
    await page.getByText("A file could not be read or written").waitFor();
  } },
  { name: "fleet-many", with: { agents: "60", many: "200" }, sizes: [USUAL], go: fleet() },
  { name: "fleet-merging", with: { with: "fleet-merging" }, sizes: TWO, go: fleet((page) => page.getByText("Live output").waitFor()) },
  { name: "fleet-paused", with: { with: "fleet-paused" }, sizes: TWO, go: fleet() },
  { name: "fleet-selected", sizes: TWO, go: fleet(async (page) => {
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("2 agents selected").waitFor();
  }) },
  { name: "fleet-beside", sizes: [USUAL], go: async (page) => {
    await session("Compare tokens by digest")(page);
    await fleet()(page);
  } },
  { name: "fleet-agent-menu", sizes: TWO, go: fleet(), each: (page) => page.getByRole("button", { name: "More actions for Agent 1" }).click() },
  { name: "fleet-rename", sizes: TWO, go: fleet(), each: async (page) => {
    await page.getByRole("button", { name: "More actions for Agent 2" }).click();
    await page.getByRole("menuitem", { name: "Rename…" }).click();
    await dialog(page).getByLabel("Name").fill("Mira");
  } },
  { name: "fleet-refused", with: { with: "fleet-refused" }, sizes: TWO, go: fleet(async (page) => {
    await page.getByRole("button", { name: "Assign all" }).click();
    await page.getByText("4 beads not assigned").waitFor();
  }) },
  { name: "fleet-agent-new", sizes: THREE, go: fleet(press("n")) },
  { name: "fleet-convoy-new", sizes: TWO, go: fleet(async (page) => {
    await press("v")(page);
    // The list ignores the pointer while a row scrolls into view.
    await dialog(page).getByRole("checkbox", { name: /BC-101/ }).dispatchEvent("click");
  }) },
  { name: "fleet-convoy", sizes: TWO, go: fleet(async (page) => {
    await page.getByRole("button", { name: /^Login hardening/ }).click();
    await dialog(page).getByText("Convoy created").waitFor();
  }) },
  { name: "fleet-convoy-add", sizes: [USUAL], go: fleet(async (page) => {
    await page.getByRole("button", { name: /^Login hardening/ }).click();
    await dialog(page).getByRole("button", { name: /^Add/ }).first().click();
    await page.getByRole("dialog", { name: /^Add/ }).waitFor();
  }) },
  { name: "fleet-give", sizes: TWO, go: fleet(async (page) => {
    await page.getByRole("button", { name: "More actions for Mira" }).click();
    await page.getByRole("menuitem", { name: "Assign work…" }).click();
  }) },
  { name: "fleet-broadcast", sizes: TWO, go: fleet(press("b")) },
  { name: "fleet-told", sizes: TWO, go: fleet(async (page) => {
    await press("b")(page);
    await dialog(page).getByLabel("Message", { exact: true }).fill("Pull main before you go on.");
    await dialog(page).getByRole("button", { name: /^Send/ }).click();
    await dialog(page).getByRole("heading", { name: "Message sent" }).waitFor();
  }) },
  { name: "fleet-settings", sizes: THREE, go: fleetSettings("Assignment") },
  { name: "fleet-settings-worktrees", sizes: TWO, go: fleetSettings("Worktrees") },
  { name: "fleet-settings-merging", sizes: TWO, go: fleetSettings("Merging") },
  { name: "fleet-settings-runners", sizes: TWO, go: fleetSettings("Runners") },
  { name: "fleet-review", sizes: THREE, go: fleet(async (page) => {
    await page.getByRole("button", { name: "More actions for BC-093" }).click();
    await page.getByRole("menuitem", { name: "Review changes…" }).click();
    await dialog(page).getByRole("button", { name: "Comment on line 43, added" }).click();
    await dialog(page).getByRole("textbox", { name: "Comment on line 43" }).fill("Does verify return early on a malformed dummy hash?");
    await page.keyboard.press("Control+Enter");
    await dialog(page).getByText("1 unsent comment").waitFor();
  }) },
  { name: "fleet-review-split", sizes: [USUAL], go: fleet(async (page) => {
    await page.getByRole("button", { name: "More actions for BC-093" }).click();
    await page.getByRole("menuitem", { name: "Review changes…" }).click();
    await dialog(page).getByRole("radio", { name: "Side by side" }).click();
  }) },
  { name: "places", with: { places: "1" }, sizes: TWO, go: places(async (page) => {
    await page.getByRole("button", { name: "Test all" }).click();
    await page.getByText("Cannot be reached", { exact: true }).waitFor();
  }) },
  { name: "changes-place", with: { places: "all" }, sizes: TWO, go: session("Implement login validation", async (page) => {
    await tab(page, "Changes").click();
    await panel(page).getByText("2 uncommitted files").waitFor();
  }) },
  { name: "checkpoints-place", with: { places: "all" }, sizes: TWO, go: turns() },
  { name: "places-none", sizes: [USUAL], go: places((page) => page.getByText("No other places").waitFor()) },
  { name: "place-add", sizes: TWO, go: places(async (page) => {
    await page.getByRole("button", { name: "Add place…" }).first().click();
    await dialog(page).getByRole("textbox", { name: "Machine" }).fill("ana@build-3");
  }) },
  { name: "place-add-container", sizes: [USUAL], go: places(async (page) => {
    await page.getByRole("button", { name: "Add place…" }).first().click();
    await dialog(page).getByRole("radio", { name: "Container" }).click();
    await dialog(page).getByRole("textbox", { name: "Image" }).fill("registry.example.org/team/dev:12");
    await dialog(page).getByText("Mounts and options").click();
    await dialog(page).getByRole("textbox", { name: "Mounts" }).waitFor();
  }) },
  { name: "place-edit", with: { places: "1" }, sizes: TWO, go: places(async (page) => {
    await page.getByRole("button", { name: "More actions for build-2" }).click();
    await page.getByRole("menuitem", { name: "Edit…" }).click();
    await dialog(page).getByRole("textbox", { name: "Labels" }).waitFor();
  }) },
  { name: "place-add-kubernetes", sizes: TWO, go: places(async (page) => {
    await page.getByRole("button", { name: "Add place…" }).first().click();
    await dialog(page).getByRole("radio", { name: "Kubernetes" }).click();
    await dialog(page).getByRole("textbox", { name: "Image" }).fill("registry.example.org/team/dev:12");
    await dialog(page).getByText("Limits, volume and service account").click();
    await dialog(page).getByRole("textbox", { name: "Volume size" }).waitFor();
  }) },
  { name: "fleet-terminals", sizes: TWO, go: async (page) => {
    await tab(page, "Fleet").click();
    await page.getByRole("radio", { name: "Terminals" }).click();
    await page.locator("[data-terminal][aria-busy=false]").nth(2).waitFor();
  } },
];

/** Opens the places in the fleet view. */
function places(then) {
  return fleet(async (page) => {
    await page.getByRole("radio", { name: "Places" }).click();
    await then(page);
  });
}
