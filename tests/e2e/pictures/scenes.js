// The scenes of the picture tests: views and dialogs of the program, with sample data.

import {
  USUAL, TWO, THREE, dialog, tab, row, panel, session, historyCard, history, press, select, drag, teach, memory, hooks,
  beadSheet, changeElsewhere, editTitle, beadView, selectRows, resume, runCommand, turns,
} from "./steps.js";
import { BACKUP_SCENES } from "./backup-scenes.js";
import { FLEET_SCENES } from "./fleet-scenes.js";
import { START_SCENES } from "./start-scenes.js";
import { TOOL_SCENES } from "./tool-scenes.js";

export { USUAL } from "./steps.js";

/**
 * `name`: the picture's name; `with`: options of the sample host; `go`: the actions that lead to the scene; `each`:
 * actions that are repeated at each size, because a menu closes when its button moves.
 */
export const SCENES = [
  { name: "welcome", with: { with: "no-project" }, sizes: THREE, ready: (page) => page.getByText("No project is open") },
  { name: "board", sizes: THREE },
  { name: "board-empty", with: { with: "no-beads" }, sizes: THREE, ready: (page) => page.getByText("No beads yet") },
  { name: "board-uninitialized", with: { with: "uninitialized" }, sizes: TWO },
  { name: "board-many", with: { many: "2000" }, sizes: [USUAL] },
  {
    name: "board-filtered",
    sizes: TWO,
    go: async (page) => {
      await page.getByRole("textbox", { name: "Filter beads" }).fill("token");
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await page.getByRole("menuitem", { name: "auth" }).click();
    },
  },
  { name: "bead-list", with: { with: "views" }, sizes: THREE, go: beadView("List") },
  {
    name: "bead-list-query",
    with: { with: "views" },
    sizes: TWO,
    go: beadView("List", async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("status:open label:parser priority<=2 ");
      await page.getByRole("listbox", { name: "Narrow it down" }).waitFor();
    }),
  },
  {
    name: "bead-list-problem",
    with: { with: "views" },
    sizes: TWO,
    go: beadView("List", async (page) => {
      await page.getByRole("textbox", { name: "Filter beads" }).fill("sprint:7 parser");
      await page.getByText("there is no field sprint").waitFor();
    }),
  },
  { name: "bead-list-selected", with: { with: "views" }, sizes: THREE, go: beadView("List", (page) => selectRows(page, ["BC-101", "BC-118", "BC-112", "BC-093"])) },
  {
    name: "bead-list-bulk",
    with: { with: "refused-bulk" },
    sizes: TWO,
    go: beadView("List", async (page) => {
      await selectRows(page, ["BC-101", "BC-118", "BC-112"]);
      const bar = page.getByRole("toolbar", { name: "Selected beads" });
      await bar.getByRole("button", { name: "Priority" }).click();
      await page.getByRole("option", { name: /^P3/ }).click();
      await page.getByText("1 refused").waitFor();
    }),
  },
  {
    name: "bead-list-edit",
    with: { with: "views" },
    sizes: [USUAL],
    go: beadView("List", async (page) => {
      await page.getByRole("row", { name: /BC-112/ }).getByRole("button", { name: "auth" }).click();
      await page.getByRole("combobox", { name: "Labels of BC-112" }).waitFor();
    }),
  },
  {
    name: "bead-list-groups",
    with: { with: "views" },
    sizes: TWO,
    go: beadView("List", async (page) => {
      await page.getByRole("button", { name: "Columns and groups" }).click();
      await page.getByRole("menuitem", { name: "Epic" }).first().click();
      await page.keyboard.press("Escape");
      await page.getByRole("row", { name: /^Policy language v2/ }).first().waitFor();
    }),
  },
  {
    name: "bead-graph",
    with: { with: "views" },
    sizes: THREE,
    go: beadView("Graph", async (page) => {
      await page.getByRole("button", { name: / BC-118 / }).click();
      await page.getByRole("complementary", { name: "Bead BC-118" }).waitFor();
    }),
  },
  { name: "bead-graph-cycle", with: { with: "cycle" }, sizes: TWO, go: beadView("Graph", (page) => page.getByText("block each other").waitFor()) },
  { name: "bead-epics", with: { with: "views" }, sizes: THREE, go: beadView("Epics", (page) => page.getByRole("button", { name: "Expand BC-150" }).click()) },
  {
    name: "saved-views",
    with: { with: "views" },
    sizes: TWO,
    go: beadView("List", async (page) => {
      await page.getByRole("textbox", { name: "Filter beads" }).fill("type:bug updated<7d");
      await page.getByRole("button", { name: "Save view…" }).last().click();
      await dialog(page).getByLabel("Save the current view as").fill("Bugs of the week");
    }),
  },
  {
    name: "board-selected",
    sizes: TWO,
    go: async (page) => {
      await page.keyboard.press("j");
      await select(page, "1 bead selected");
      await page.keyboard.press("j");
      await select(page, "2 beads selected");
    },
  },
  {
    // The pointer is over a column on which the card cannot be dropped.
    name: "board-drag",
    sizes: TWO,
    each: async (page) => {
      await page.mouse.up();
      await drag(page, "BC-115", "in_review");
    },
  },
  { name: "board-stale", with: { with: "stale" }, sizes: TWO, go: (page) => page.getByText(/^Very stale/).first().waitFor() },
  {
    name: "board-next",
    sizes: TWO,
    go: async (page) => {
      await page.keyboard.press("m");
      await page.getByRole("menuitem", { name: /^Closed/ }).click();
      await dialog(page).getByRole("button", { name: /^Close\b.*Ctrl/ }).click();
      await page.getByRole("region", { name: "Next bead" }).waitFor();
      await page.getByRole("button", { name: "Dismiss message" }).click();
    },
  },
  { name: "card-menu", sizes: TWO, each: async (page) => {
    await page.getByRole("article", { name: /^BC-111/ }).getByRole("button", { name: "More actions for BC-111" }).click();
    await page.getByRole("menuitem", { name: "Copy ID" }).waitFor();
  } },
  {
    name: "board-options",
    sizes: TWO,
    go: async (page) => {
      await page.getByRole("button", { name: "Board options" }).click();
      await page.getByRole("radio", { name: "Compact" }).click();
      await page.getByRole("spinbutton", { name: "Limit of In progress" }).fill("4");
      await page.getByRole("spinbutton", { name: "Limit of Ready" }).fill("10");
      await page.getByRole("button", { name: "Group by" }).click();
      await page.getByRole("menuitem", { name: "Priority" }).click();
    },
  },
  { name: "board-your-turn", with: { with: "your-turn" }, sizes: TWO, go: session("Compare tokens by digest") },
  { name: "tracker-failed", with: { with: "tracker-failed" }, sizes: TWO },
  { name: "folder-gone", with: { with: "gone" }, sizes: TWO },
  { name: "no-claude", with: { with: "no-claude" }, sizes: TWO },
  { name: "no-hooks", with: { with: "no-hooks" }, sizes: TWO },
  { name: "connection-lost", with: { connection: "lost" }, sizes: TWO },
  { name: "connection-refused", with: { connection: "refused" }, sizes: TWO },
  { name: "connection-revoked", with: { connection: "revoked" }, sizes: TWO, ready: (page) => page.getByRole("heading", { name: "Your access was revoked" }) },
  { name: "bead", sizes: THREE, go: (page) => page.getByRole("article", { name: /^BC-101, / }).getByRole("heading").getByRole("button").click() },
  { name: "bead-not-ready", sizes: TWO, go: async (page) => {
    await page.getByRole("article", { name: /^BC-118, / }).getByRole("heading").getByRole("button").click();
    await dialog(page).getByRole("heading", { name: "Not ready because" }).waitFor();
  } },
  { name: "bead-sessions", sizes: TWO, go: async (page) => {
    await page.getByRole("article", { name: /^BC-111, / }).getByRole("heading").getByRole("button").click();
    await dialog(page).getByRole("heading", { name: /^Sessions/ }).scrollIntoViewIfNeeded();
  } },
  { name: "bead-edit", sizes: THREE, go: beadSheet("BC-121", async (page) => {
    await dialog(page).getByRole("radio", { name: "Write" }).first().click();
    await dialog(page).getByRole("combobox", { name: "Labels" }).fill("o");
    await dialog(page).getByRole("option", { name: "ops" }).waitFor();
  }) },
  { name: "bead-conflict", with: { with: "edited-elsewhere" }, sizes: TWO, go: beadSheet("BC-121", editTitle) },
  { name: "bead-versions", with: { with: "edited-elsewhere" }, sizes: TWO, go: beadSheet("BC-121", async (page) => {
    await dialog(page).getByRole("radio", { name: "Write" }).first().click();
    await dialog(page).getByRole("textbox", { name: "Description" }).fill("Browsers drop a `__Host-` cookie that names a `Domain`.\n\n## To do\n- [x] List every place that sets a cookie\n- [x] Rename the cookie behind a flag\n- [ ] Read both names for one release\n- [ ] Drop the old name");
    await changeElsewhere(page);
    await dialog(page).getByRole("button", { name: "Show both" }).click();
    await page.getByRole("dialog", { name: "Two versions of BC-121" }).waitFor();
  }) },
  { name: "bead-dependency", sizes: TWO, go: beadSheet("BC-121", async (page) => {
    await dialog(page).getByRole("region", { name: "Blocked by" }).getByRole("button", { name: "Add dependency" }).click();
    await dialog(page).getByRole("combobox", { name: "Add dependency" }).fill("token");
    await dialog(page).getByRole("option").first().waitFor();
  }) },
  { name: "bead-history", sizes: TWO, go: beadSheet("BC-111", async (page) => {
    await dialog(page).getByRole("button", { name: "History" }).click();
    await dialog(page).getByText("created it").waitFor();
    await dialog(page).getByText("created it").scrollIntoViewIfNeeded();
  }) },
  { name: "bead-date", sizes: [USUAL], go: beadSheet("BC-121", (page) => dialog(page).getByRole("button", { name: "Due: None" }).click()) },
  { name: "bead-read-only", with: { with: "read-only" }, sizes: TWO, go: beadSheet("BC-121") },
  { name: "bead-few-fields", with: { with: "few-fields" }, sizes: [USUAL], go: beadSheet("BC-121") },
  { name: "bead-approve", sizes: [USUAL], go: beadSheet("BC-093", (page) => dialog(page).getByRole("button", { name: "Approve…" }).click()) },
  { name: "bead-new-more", sizes: TWO, go: async (page) => {
    await press("c")(page);
    await dialog(page).getByRole("button", { name: "More fields" }).click();
    await dialog(page).getByRole("button", { name: "Add blocker…" }).click();
    await dialog(page).getByRole("combobox", { name: "Blocked by" }).fill("token");
    await dialog(page).getByRole("option").first().waitFor();
  } },
  { name: "changes", sizes: THREE, go: session("Implement login validation", async (page) => {
    await tab(page, "Changes").click();
    await panel(page).getByText("2 uncommitted files").waitFor();
    await panel(page).getByRole("button", { name: "2 commits" }).click();
  }) },
  { name: "checkpoints", sizes: THREE, go: turns() },
  { name: "checkpoints-restore", sizes: TWO, go: turns(async (page) => {
    await panel(page).getByRole("button", { name: "Restore files…" }).click();
    await dialog(page).getByRole("checkbox", { name: "src/auth/login.rs" }).check();
  }) },
  { name: "changes-split", sizes: [USUAL], go: session("Implement login validation", async (page) => {
    await page.keyboard.press("Control+Shift+F");
    await tab(page, "Changes").click();
    await panel(page).getByRole("radio", { name: "Side by side" }).click();
    await panel(page).getByRole("button", { name: "Comment on line 43, added" }).click();
    await panel(page).getByRole("textbox", { name: "Comment on line 43" }).fill("Does verify return early on a malformed dummy hash?");
    await page.keyboard.press("Control+Enter");
    await panel(page).getByText("1 unsent comment").waitFor();
  }) },
  { name: "changes-viewed", sizes: TWO, go: session("Implement login validation", async (page) => {
    await tab(page, "Changes").click();
    await panel(page).getByRole("checkbox", { name: "Viewed" }).first().click();
    await page.keyboard.press("v");
    await panel(page).getByText("2 of 6 viewed").waitFor();
    await panel(page).getByRole("navigation", { name: "Files" }).getByRole("button", { name: /login\.rs/ }).click();
    await panel(page).getByText("You have viewed this file.").first().waitFor();
  }) },
  { name: "changes-sent", sizes: TWO, go: session("Implement login validation", async (page) => {
    await tab(page, "Changes").click();
    await panel(page).getByRole("button", { name: "Comment on line 43, added" }).click();
    await panel(page).getByRole("textbox", { name: "Comment on line 43" }).fill("Does verify return early on a malformed dummy hash?");
    await page.keyboard.press("Control+Enter");
    await panel(page).getByRole("button", { name: /^Send to/ }).click();
    await panel(page).getByRole("button", { name: "Resolve" }).waitFor();
    await panel(page).getByRole("button", { name: "Revert hunk" }).first().click();
    await panel(page).getByRole("button", { name: "1 revert" }).click();
    await panel(page).getByRole("button", { name: /lines above$/ }).first().click();
  }) },
  { name: "commit", sizes: TWO, go: session("Implement login validation", async (page) => {
    await tab(page, "Changes").click();
    await panel(page).getByRole("button", { name: "Commit…" }).click();
    await dialog(page).getByRole("list", { name: "Files to commit" }).waitFor();
  }) },
  { name: "publish", sizes: TWO, go: session("Implement login validation", async (page) => {
    await tab(page, "Changes").click();
    await panel(page).getByRole("button", { name: "Publish…" }).click();
    await dialog(page).getByRole("textbox", { name: "Title" }).waitFor();
  }) },
  { name: "changes-beside", sizes: TWO, go: session("Implement login validation", async (page) => {
    await tab(page, "Terminal").click();
    await page.keyboard.press("Control+Shift+E");
    await panel(page).getByRole("region", { name: "Changes" }).getByText("2 uncommitted files").waitFor();
  }) },
  { name: "changes-empty", sizes: TWO, go: session("Research caching options", (page) => tab(page, "Changes").click()) },
  { name: "context", sizes: THREE, go: session("Implement login validation", (page) => tab(page, "Context").click()) },
  { name: "context-empty", sizes: TWO, go: session("Research caching options", (page) => tab(page, "Context").click()) },
  { name: "timeline", sizes: THREE, go: session("Precedence climbing", async (page) => {
    await tab(page, "Timeline").click();
    await page.getByRole("group", { name: "Events" }).getByRole("button").first().waitFor();
  }) },
  { name: "timeline-week", sizes: THREE, go: session("Hash passwords with Argon2id", async (page) => {
    await tab(page, "Timeline").click();
    await page.getByRole("group", { name: "Events" }).getByRole("button").first().waitFor();
  }) },
  { name: "bead-new", sizes: THREE, go: press("c") },
  { name: "bead-close", sizes: [USUAL], go: async (page) => {
    await page.getByRole("article", { name: /^BC-101, / }).getByRole("heading").getByRole("button").click();
    await dialog(page).getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Close…" }).click();
    await page.getByRole("dialog", { name: /^Close BC-101/ }).waitFor();
  } },
  { name: "setup", with: { with: "uninitialized", author: "none" }, sizes: THREE, go: async (page) => {
    await page.getByRole("main").getByRole("button", { name: "Set up project…" }).click();
    await dialog(page).getByLabel("E-mail").waitFor();
  } },
  { name: "confirm", sizes: TWO, go: session("Implement login validation", async (page) => {
    await page.getByRole("button", { name: /^Permission mode:/ }).click();
    await page.getByRole("menuitem", { name: /^Bypass/ }).click();
    await page.getByRole("dialog", { name: /Bypass/ }).or(page.getByRole("alertdialog", { name: /Bypass/ })).waitFor();
  }) },
  ...START_SCENES,
  { name: "open-folder", sizes: TWO, go: async (page) => {
    await page.getByRole("button", { name: /gatehouse/ }).first().click();
    await page.getByRole("menuitem", { name: "Open another folder…" }).click();
    await dialog(page).waitFor();
  } },
  { name: "open-folder-typing", sizes: TWO, go: async (page) => {
    await page.getByRole("button", { name: /gatehouse/ }).first().click();
    await page.getByRole("menuitem", { name: "Open another folder…" }).click();
    await dialog(page).getByRole("combobox", { name: "Folder" }).fill("/home/dv/work/");
    await dialog(page).getByRole("option").first().waitFor();
    await page.keyboard.press("ArrowDown");
  } },
  { name: "projects", sizes: TWO, each: (page) => page.getByRole("button", { name: /gatehouse/ }).first().click() },
  { name: "settings", sizes: THREE, go: (page) => page.getByRole("button", { name: "Settings" }).click() },
  { name: "settings-notifications", with: { notify: "refused" }, sizes: TWO, go: async (page) => {
    await page.getByRole("button", { name: "Settings" }).click();
    await dialog(page).getByRole("button", { name: "Choose…" }).click();
    await dialog(page).getByRole("switch", { name: "Finished turns" }).scrollIntoViewIfNeeded();
  } },
  { name: "settings-about", sizes: TWO, go: async (page) => {
    await page.getByRole("button", { name: "Settings" }).click();
    await dialog(page).getByRole("textbox", { name: "Address for new versions" }).fill("https://example.org/console.git");
    await page.keyboard.press("Tab");
    await dialog(page).getByRole("button", { name: "Check now" }).click();
    await dialog(page).getByText("Version 0.2.0 is available").waitFor();
    await dialog(page).getByRole("button", { name: "Licences…" }).scrollIntoViewIfNeeded();
  } },
  { name: "licences", sizes: TWO, go: async (page) => {
    await page.getByRole("button", { name: "Settings" }).click();
    await dialog(page).getByRole("button", { name: "Licences…" }).click();
    await dialog(page).getByLabel("Licence texts").waitFor();
  } },
  { name: "settings-project", sizes: THREE, go: async (page) => {
    await page.getByRole("button", { name: "Settings" }).click();
    await dialog(page).getByRole("radio", { name: "gatehouse" }).click();
    await dialog(page).getByRole("switch", { name: "One at a time" }).click();
    await dialog(page).getByText("Set for this project.").waitFor();
  } },
  { name: "teach-agents", sizes: TWO, go: async (page) => {
    await teach(page);
    await dialog(page).getByRole("button", { name: /AGENTS\.md/ }).click();
    await dialog(page).getByRole("button", { name: /AGENTS\.md/ }).scrollIntoViewIfNeeded();
  } },
  { name: "teach-agents-installed", sizes: TWO, go: async (page) => {
    await teach(page);
    await dialog(page).getByRole("button", { name: "Install" }).click();
    await dialog(page).getByText(/^Written/).waitFor();
  } },
  { name: "teach-agents-refused", with: { with: "broken-settings" }, sizes: TWO, go: async (page) => {
    await teach(page);
    await dialog(page).getByRole("checkbox", { name: /Permission rules/ }).check({ force: true });
    await dialog(page).getByText("Clear its checkbox").waitFor();
  } },
  { name: "link", sizes: THREE, go: async (page) => {
    await runCommand("another browser")(page);
    await dialog(page).getByRole("textbox", { name: "Link" }).waitFor();
  } },
  { name: "people", sizes: THREE, go: async (page) => {
    await runCommand("people with access")(page);
    await dialog(page).getByRole("textbox", { name: "Name" }).fill("Cai");
    await dialog(page).getByRole("button", { name: "Create link" }).click();
    await dialog(page).getByRole("button", { name: "Revoke access of Ana" }).click();
    await dialog(page).getByRole("button", { name: "Revoke access", exact: true }).waitFor();
  } },
  { name: "report", sizes: THREE, go: async (page) => {
    await runCommand("report a problem")(page);
    await dialog(page).getByRole("button", { name: /host-2026/ }).click();
  } },
  { name: "help", sizes: THREE, go: press("?") },
  { name: "palette", sizes: THREE, go: press("Control+k") },
  { name: "palette-search", sizes: TWO, go: async (page) => {
    await press("Control+k")(page);
    await page.keyboard.type("token");
  } },
  { name: "session-permission", sizes: THREE, go: session("Implement login validation") },
  { name: "session-question", sizes: TWO, go: session("Rotate signing keys live") },
  { name: "session-questions", with: { with: "questions" }, sizes: THREE, go: session("Rotate signing keys live", async (page) => {
    const card = page.getByRole("region", { name: /asks? .*question|has a question/ });
    await card.getByRole("radio", { name: /^KMS/ }).check();
    await card.getByRole("checkbox", { name: /^Sign in/ }).check();
    await card.getByRole("textbox", { name: /What must keep working/ }).fill("The health check of the proxy");
  }) },
  { name: "session-plan", with: { with: "plan" }, sizes: THREE, go: session("Rotate signing keys live", async (page) => {
    const remark = async (line, text) => {
      await page.getByRole("button", { name: `Remark on line ${line}`, exact: true }).click();
      await page.getByRole("textbox", { name: `Remark on line ${line}` }).fill(text);
      await page.keyboard.press("Enter");
    };
    await remark(4, "Refuse a token without a kid; do not fall back to the newest key.");
    await remark(6, "Make it a setting, and keep 24 hours as the default.");
    await page.getByRole("button", { name: "Send back with 2 remarks" }).waitFor();
  }) },
  { name: "session-limited", with: { with: "limited" }, sizes: TWO, go: session("Compare tokens by digest") },
  { name: "inbox", with: { with: "inbox" }, sizes: THREE, go: async (page) => {
    await page.getByRole("tab", { name: /^Needs you/ }).click();
    await page.getByRole("region", { name: /^Permissions/ }).waitFor();
    await page.keyboard.press("ArrowDown");
  } },
  { name: "inbox-empty", with: { with: "no-sessions" }, sizes: [USUAL], go: (page) => page.getByRole("tab", { name: /^Needs you/ }).click() },
  { name: "session-working", sizes: THREE, go: session("Compare tokens by digest") },
  { name: "session-paused", sizes: THREE, go: session("Precedence climbing") },
  ...TOOL_SCENES,
  {
    name: "composer-queue",
    with: { with: "tool-views" },
    sizes: TWO,
    go: session("Compare tokens by digest", async (page) => {
      const field = page.getByRole("textbox", { name: /^Message to / });
      await field.fill("And put the figures into the bead.");
      await field.press("Enter");
      await page.getByRole("list", { name: "Queued messages" }).getByText("figures").waitFor();
      await field.evaluate((field) => {
        const data = new DataTransfer();
        const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
        data.items.add(new File([Uint8Array.from(atob(picture), (c) => c.charCodeAt(0))], "login-form.png", { type: "image/png" }));
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      });
      await page.getByRole("list", { name: "Attached files" }).getByText("login-form.png").waitFor();
      await field.fill("The form now looks like this.");
    }),
  },
  { name: "composer-model", sizes: TWO, go: session("Compare tokens by digest"), each: async (page) => {
    await page.getByRole("button", { name: /^Model: / }).click();
    await page.getByRole("menuitem", { name: /^Haiku/ }).waitFor();
  } },
  { name: "session-draft", sizes: TWO, go: session("Research caching options") },
  { name: "session-interrupted", sizes: TWO, go: session("Fix auth redirect") },
  { name: "session-closed", sizes: THREE, go: session("Reject alg none tokens") },
  { name: "session-long", sizes: TWO, go: session("Spans point at the right byte") },
  { name: "session-filled", sizes: [USUAL], go: session("Implement login validation", (page) => page.keyboard.press("Control+Shift+F")) },
  { name: "session-menu", sizes: TWO, go: session("Reject alg none tokens"), each: (page) => page.getByRole("button", { name: "More actions for this session" }).click() },
  { name: "session-end", sizes: TWO, go: session("Compare tokens by digest", async (page) => {
    await panel(page).getByRole("button", { name: "End", exact: true }).click();
    await dialog(page).getByRole("button", { name: /^Remember from this session/ }).click();
    await dialog(page).getByRole("checkbox", { name: /^Keep Decision|Decision/ }).last().check({ force: true });
  }) },
  { name: "session-resume", sizes: THREE, go: session("Precedence climbing", resume) },
  { name: "session-resume-decide", sizes: THREE, go: session("Fix auth redirect", async (page) => {
    await panel(page).getByRole("button", { name: "Resume", exact: true }).first().click();
    await dialog(page).getByLabel("Prompt").waitFor();
  }) },
  { name: "session-resume-menu", sizes: TWO, go: session("Precedence climbing"), each: (page) => page.getByRole("button", { name: "Resume options" }).click() },
  { name: "terminal", sizes: THREE, go: session("Implement login validation", (page) => tab(page, "Terminal").click()) },
  { name: "terminal-lost", with: { terminal: "lost" }, sizes: TWO, go: session("Implement login validation", (page) => tab(page, "Terminal").click()) },
  { name: "toast", sizes: THREE, go: session("Reject alg none tokens", async (page) => {
    await page.getByRole("button", { name: "More actions for this session" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await row(page, "Precedence climbing").click();
    // A toast with focus stays open, however long the pictures take.
    await page.getByRole("button", { name: "Undo" }).focus();
  }) },
  { name: "history", sizes: THREE, go: history() },
  { name: "history-read", sizes: TWO, go: history(async (page) => (await historyCard(page, "Reject alg none tokens")).click()) },
  { name: "history-search", sizes: TWO, go: history(async (page) => {
    await page.getByRole("textbox", { name: "Search sessions" }).fill("password");
    const places = page.getByRole("list", { name: "Matches" }).first();
    await places.waitFor();
    if (page.viewportSize().width > 860) await places.getByRole("button").first().click();
  }) },
  { name: "history-select", sizes: THREE, go: history(async (page) => {
    await (await historyCard(page, "Reject alg none tokens")).focus();
    await page.keyboard.press("x");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("x");
    await page.getByRole("toolbar", { name: "Selected sessions" }).waitFor();
  }) },
  { name: "history-between", sizes: TWO, go: history(async (page) => {
    await page.getByRole("button", { name: "Date: all" }).click();
    await page.getByRole("menuitem", { name: "Between…" }).click();
    await page.getByLabel("First day").fill("2026-11-16");
    await page.getByLabel("Last day").fill("2026-11-19");
  }) },
  { name: "export", sizes: THREE, go: history(async (page) => {
    await page.getByRole("main").getByRole("button", { name: "Export…" }).click();
    await dialog(page).getByRole("checkbox", { name: /^Leave out tool output/ }).check();
  }) },
  { name: "figures", sizes: THREE, go: session("Implement login validation", async (page) => {
    await page.getByRole("button", { name: "More actions for this session" }).click();
    await page.getByRole("menuitem", { name: "Metrics" }).click();
    await dialog(page).getByText("Tool calls").waitFor();
  }) },
  { name: "history-find", sizes: TWO, go: history(async (page) => {
    await (await historyCard(page, "Spans point at the right byte")).click();
    await page.getByRole("button", { name: "Find in this session" }).click();
    await page.getByRole("textbox", { name: "Find in this session" }).fill("case_12");
    await page.getByText(/^\d+ of \d+$/).waitFor();
    await page.keyboard.press("Enter");
  }) },
  { name: "history-time", sizes: TWO, go: history(async (page) => (await historyCard(page, "Spans point at the right byte")).click()), each: async (page) => {
    await page.getByRole("button", { name: "Go to time" }).click();
    await page.getByLabel("First message at or after").waitFor();
  } },
  { name: "history-changes", sizes: TWO, go: history(async (page) => {
    await (await historyCard(page, "Reject alg none tokens")).click();
    await page.getByRole("radio", { name: "Changes" }).click();
    await page.getByRole("button", { name: "2 commits", exact: true }).waitFor();
  }) },
  { name: "history-timeline", sizes: TWO, go: history(async (page) => {
    await page.getByRole("textbox", { name: "Search sessions" }).fill("argon2id");
    await (await historyCard(page, "Hash passwords with Argon2id")).click();
    await page.getByRole("radio", { name: "Timeline" }).click();
    await page.getByRole("group", { name: "Events" }).getByRole("button").first().waitFor();
  }) },
  { name: "old-sessions", with: { with: "old" }, sizes: TWO, go: history(async (page) => {
    await page.getByText("2 sessions paused for over 7 days").waitFor();
    await page.getByRole("button", { name: "Old sessions" }).click();
    await dialog(page).getByLabel("Up to").fill("2026-11-17");
    await dialog(page).getByRole("button", { name: "Delete 2 sessions" }).waitFor();
  }) },
  { name: "insight", sizes: THREE, go: async (page) => {
    await tab(page, "Insight").click();
    await page.getByRole("radio", { name: "30 days" }).click();
    await page.getByText("compare with the 30 days before").waitFor();
  } },
  { name: "insight-empty", with: { with: "no-sessions" }, sizes: TWO, go: (page) => tab(page, "Insight").click() },
  { name: "memory", sizes: THREE, go: async (page) => {
    await memory()(page);
    await page.keyboard.press("j");
  } },
  { name: "memory-search", sizes: TWO, go: memory(async (page) => {
    await page.getByRole("textbox", { name: "Search memories" }).fill("race");
    await page.getByText("2 memories", { exact: true }).waitFor();
    await page.getByRole("checkbox", { name: /^Select Run/ }).check({ force: true });
  }) },
  { name: "memory-empty", with: { with: "no-memories" }, sizes: TWO, go: (page) => tab(page, "Memory").click() },
  { name: "memory-fallback", with: { with: "memory-fallback" }, sizes: TWO, go: memory() },
  { name: "memory-sheet", sizes: THREE, go: memory(async (page) => {
    await page.getByRole("button", { name: /^Emails/ }).click();
    await dialog(page).getByRole("button", { name: "Link…" }).click();
    await page.getByRole("radio", { name: /^Argon2/ }).click();
    await page.getByRole("button", { name: "Link", exact: true }).click();
    await dialog(page).getByRole("heading", { name: /^Links/ }).waitFor();
  }) },
  { name: "memory-edit", sizes: TWO, go: memory(async (page) => {
    await page.getByRole("button", { name: /^Argon2/ }).click();
    await dialog(page).getByRole("button", { name: "Edit" }).last().click();
  }) },
  { name: "memory-link", sizes: TWO, go: memory(async (page) => {
    await page.getByRole("button", { name: /^Emails/ }).click();
    await dialog(page).getByRole("button", { name: "Link…" }).click();
    await page.getByRole("radio", { name: /^Argon2/ }).click();
  }) },
  { name: "memory-merge", sizes: TWO, go: memory(async (page) => {
    await page.getByRole("button", { name: "Merge…" }).click();
    await dialog(page).getByRole("radio").first().waitFor();
  }) },
  { name: "remember", sizes: TWO, go: memory(async (page) => {
    await page.keyboard.press("n");
    await dialog(page).getByLabel("What to remember").fill("The deploy key is ghp_0123456789.");
    await page.keyboard.press("Control+Enter");
    await dialog(page).getByRole("button", { name: "Keep anyway" }).waitFor();
  }) },
  { name: "memory-graph", sizes: THREE, go: memory(async (page) => {
    await page.getByRole("radio", { name: "Graph" }).click();
    await page.getByRole("button", { name: /^Argon2/ }).focus();
  }) },
  { name: "memory-graph-many", with: { with: "many-memories" }, sizes: TWO, go: async (page) => {
    await tab(page, "Memory").click();
    await page.getByRole("radio", { name: "Graph" }).click();
    await page.getByRole("button", { name: "Zoom to fit" }).click();
  } },
  { name: "memory-graph-near", with: { with: "many-memories" }, sizes: TWO, go: async (page) => {
    await tab(page, "Memory").click();
    await page.getByRole("radio", { name: "Graph" }).click();
    await page.getByRole("group", { name: /^Graph of links/ }).focus();
    for (const key of ["+", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  } },
  { name: "memory-prime", sizes: TWO, go: memory(async (page) => {
    await page.getByRole("button", { name: "More memory actions" }).click();
    await page.getByRole("menuitem", { name: "Preview agent context…" }).click();
    await dialog(page).getByRole("listitem").first().waitFor();
  }) },
  { name: "memory-import", sizes: TWO, go: memory(async (page) => {
    await page.getByRole("button", { name: "More memory actions" }).click();
    await page.getByRole("menuitem", { name: "Import MEMORY.md…" }).click();
    await dialog(page).getByRole("listitem").first().waitFor();
  }) },
  { name: "palette-memories", sizes: TWO, go: async (page) => {
    await press("Control+k")(page);
    await page.keyboard.type("default cost");
    await page.getByRole("option", { name: /^Argon2/ }).waitFor();
  } },
  { name: "hook-runs", sizes: THREE, go: hooks(async (page) => {
    await dialog(page).getByRole("button", { name: "View runs…" }).click();
    await dialog(page).getByRole("button", { name: /format\.sh/ }).click();
    await dialog(page).getByText(/expected declaration/).waitFor();
  }) },
  { name: "hooks", sizes: THREE, go: hooks() },
  { name: "hooks-allow", with: { with: "changed-hooks" }, sizes: TWO, go: hooks((page) => dialog(page).getByRole("button", { name: "Review change…" }).click()) },
  { name: "hooks-git", with: { with: "git-programs" }, sizes: TWO, go: hooks(async (page) => {
    await dialog(page).getByText("filter.notebook.clean").scrollIntoViewIfNeeded();
    await dialog(page).getByRole("button", { name: "Review and allow…" }).last().click();
    await dialog(page).getByText("Let git run these programs?").waitFor();
  }) },
  { name: "hooks-edit", sizes: TWO, go: hooks((page) => dialog(page).getByRole("button", { name: "Add hook…" }).click()) },
  { name: "hooks-test", sizes: TWO, go: hooks(async (page) => {
    await dialog(page).getByRole("button", { name: "Test…" }).click();
    await dialog(page).getByRole("button", { name: /^When/ }).click();
    await page.getByRole("menuitem", { name: /^preToolUse/ }).click();
    await dialog(page).getByRole("button", { name: "Run" }).click();
    await dialog(page).getByText(/^exit 0/).waitFor();
  }) },
  ...BACKUP_SCENES,
  { name: "history-empty", with: { with: "no-sessions" }, sizes: TWO, go: history() },
  ...FLEET_SCENES,
];
