// The Changes tab: comments on lines, viewed files, reverts, commits, pull requests, and the pane beside the
// terminal. Also the list of worktrees.

import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey, waitUntil } from "../sandbox.js";
import { atPrompt, chat, chatText, command, newSession, panel, sendPrompt, tab, terminal } from "../actions.js";

const needs = ["bd", "claude"];
const changes = (page) => page.getByRole("tabpanel", { name: "Changes" });
const file = (page, name) => changes(page).getByRole("navigation", { name: "Files" }).getByRole("button", { name });
const dialog = (page, name) => page.getByRole("dialog", { name });

async function allow(page) {
  await chat(page).getByRole("region", { name: /wants to/ }).getByRole("button", { name: /^Allow once/ }).click();
}

journey("Changes shows what claude writes, and a comment on a line is sent to claude", { needs }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  await newSession(page, { title: "Greets", objective: "[[write:greet.ts:export const greeting = 'hello';]]" });
  await allow(page);
  await chatText(page, "Done: the tools ran.").first().waitFor();
  await atPrompt(page);
  await page.keyboard.press("Control+Shift+D");
  await file(page, /greet\.ts/).waitFor();
  const change = changes(page).getByRole("group", { name: "Changes in greet.ts" });
  await change.getByText("'hello'").waitFor();
  await changes(page).getByText("1 uncommitted file").waitFor();
  await change.locator(".keyword", { hasText: "export" }).first().waitFor();

  await change.getByRole("button", { name: "Comment on line 1, added" }).click();
  await page.getByRole("textbox", { name: "Comment on line 1" }).fill("Say it in French.");
  await page.keyboard.press("Control+Enter");
  await changes(page).getByRole("button", { name: /^Send to/ }).click();
  await changes(page).getByText("1 unsent comment").waitFor({ state: "detached" });
  // The comment stays until it is resolved.
  const comment = change.getByRole("group", { name: "Comment on line 1" });
  await comment.getByText("Sent", { exact: true }).waitFor();
  await tab(page, "Chat").click();
  await chat(page).getByText("Say it in French.").first().waitFor();
  await atPrompt(page);

  await tab(page, "Changes").click();
  await comment.getByRole("button", { name: "Resolve" }).click();
  await comment.waitFor({ state: "detached" });

  // After a commit, the tab updates automatically and lists the commit.
  await tab(page, "Changes").click();
  await file(page, /greet\.ts/).waitFor();
  await tab(page, "Chat").click();
  await sendPrompt(page, "[[bash:git add greet.ts && git commit -qm greets]]");
  await allow(page);
  await tab(page, "Changes").click();
  await changes(page).getByRole("button", { name: "1 commit" }).click();
  await changes(page).getByRole("list", { name: "Commits" }).getByText("greets").waitFor();
  await changes(page).getByText("1 uncommitted file").waitFor({ state: "detached" });
});

journey("a viewed file stays viewed in every window and after a restart, until it changes", { needs, long: true }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  const status = (on) => changes(on).getByRole("status");
  const counted = (on, text) => status(on).getByText(text, { exact: true }).waitFor();
  const section = (on, name) => changes(on).getByRole("region", { name, exact: true });
  const viewed = (on, name) => section(on, name).getByRole("checkbox", { name: "Viewed" });
  await newSession(page, { title: "Greets", objective: "[[write:greet.ts:export const greeting = 'hello';]]" });
  await allow(page);
  await chatText(page, "Done: the tools ran.").first().waitFor();
  await atPrompt(page);
  await sendPrompt(page, "[[bash:printf 'one\\n' > notes.txt]]");
  await allow(page);
  await page.keyboard.press("Control+Shift+D");
  await counted(page, "0 of 2 viewed");
  await file(page, /greet\.ts/).click();

  // Marking a file as viewed shows the next file.
  await viewed(page, "greet.ts").click();
  await counted(page, "1 of 2 viewed");
  await changes(page).getByRole("group", { name: "Changes in notes.txt" }).getByText("one").waitFor();
  await file(page, /greet\.ts.*viewed/).click();
  await changes(page).getByText("You have viewed this file.").waitFor();
  await changes(page).getByRole("button", { name: "Show", exact: true }).click();
  await changes(page).getByRole("group", { name: "Changes in greet.ts" }).getByText("'hello'").waitFor();

  // A second page shows the same mark, and its own marks appear on the first page.
  const other = await sandbox.open(page.context());
  await panel(other).waitFor();
  await tab(other, "Changes").click();
  await counted(other, "1 of 2 viewed");
  await file(other, /notes\.txt/).click();
  await other.keyboard.press("v");
  await counted(other, "2 of 2 viewed");
  await counted(page, "2 of 2 viewed");
  await other.keyboard.press("v");
  await counted(page, "1 of 2 viewed");
  await other.close();

  // A commit leaves the file's content unchanged, so the file stays viewed. An added line removes the mark.
  await tab(page, "Chat").click();
  await atPrompt(page);
  await sendPrompt(page, "[[bash:git add greet.ts && git commit -qm greets]]");
  await allow(page);
  await tab(page, "Changes").click();
  await changes(page).getByText("1 uncommitted file").waitFor();
  await counted(page, "1 of 2 viewed");
  await tab(page, "Chat").click();
  await atPrompt(page);
  await sendPrompt(page, "[[bash:echo '// more' >> greet.ts]]");
  await allow(page);
  await tab(page, "Changes").click();
  await counted(page, "0 of 2 viewed");
  await file(page, /greet\.ts.*changed since you viewed it/).click();
  await changes(page).getByText("Changed since you viewed it").first().waitFor();
  await viewed(page, "greet.ts").click();
  await counted(page, "1 of 2 viewed");

  await page.close();
  await sandbox.stopServer();
  await sandbox.serve();
  const later = await sandbox.open();
  await panel(later).waitFor();
  await tab(later, "Changes").click();
  await counted(later, "1 of 2 viewed");
  await file(later, /greet\.ts.*viewed/).waitFor();
});

journey(
  "a file and a hunk are reverted and undone, also after a restart, and files are committed and published",
  {},
  async (sandbox) => {
    const numbered = (edit) =>
      Array.from({ length: 30 }, (_, n) => `${edit(n + 1)}\n`).join("");
    const root = sandbox.project;
    writeFileSync(
      join(root, "lines.txt"),
      numbered((n) => `line ${n}`),
    );
    await sandbox.git(root, "add", "lines.txt");
    await sandbox.git(root, "commit", "-qm", "lines");
    await sandbox.git(
      root,
      "init",
      "-q",
      "--bare",
      join(sandbox.base, "remote.git"),
    );
    await sandbox.git(
      root,
      "remote",
      "add",
      "origin",
      join(sandbox.base, "remote.git"),
    );
    const noted = join(sandbox.base, "noted");
    const program = (name, lines) =>
      writeFileSync(join(sandbox.base, "bin", name), `#!/bin/sh\n${lines}\n`, {
        mode: 0o755,
      });
    program(
      "gh",
      `printf '%s\\n' "$@" > '${noted}'; cat >> '${noted}'; echo https://github.example/pull/7`,
    );
    program("my-editor", `printf '%s\\n' "$@" > '${noted}'`);
    const started = await sandbox.console(
      "session",
      "start",
      "--simulated",
      "--branch",
      "work",
      "--title",
      "Tidy the lines",
      "--prompt",
      "",
      "--json",
    );
    const { session } = JSON.parse(started);
    const folder = session.cwd;
    const text = () => readFileSync(join(folder, "lines.txt"), "utf8");
    const edited = numbered((n) =>
      n === 3 || n === 25 ? `changed ${n}` : `line ${n}`,
    );
    writeFileSync(join(folder, "lines.txt"), edited);
    writeFileSync(join(folder, "new file.txt"), "new\n");
    await sandbox.serve();
    const page = await sandbox.open();
    await page.getByText("Tidy the lines").first().click();
    await tab(page, "Changes").click();
    const section = (name) =>
      changes(page).getByRole("region", { name, exact: true });

    // All files are in one scrolling list. Hidden lines are shown on demand.
    await section("new file.txt").getByText("new", { exact: true }).waitFor();
    await section("lines.txt").getByText("changed 25").waitFor();
    assert.equal(
      await section("lines.txt").getByText("line 14", { exact: true }).count(),
      0,
    );
    await section("lines.txt")
      .getByRole("button", { name: /^Show \d+ lines above/ })
      .first()
      .click();
    await section("lines.txt").getByText("line 14", { exact: true }).waitFor();

    // A hunk is reverted, and the toast's Undo brings it back.
    const index = await sandbox.git(folder, "ls-files", "--stage");
    await section("lines.txt")
      .getByRole("button", { name: "Revert hunk" })
      .last()
      .click();
    await waitUntil(
      () => text() === numbered((n) => (n === 3 ? "changed 3" : `line ${n}`)),
    );
    await page
      .getByRole("button", { name: "Undo", exact: true })
      .first()
      .click();
    await waitUntil(() => text() === edited);

    // Reverting a new file deletes it. The revert can be undone after a restart.
    await section("new file.txt")
      .getByRole("button", { name: "Revert file" })
      .click();
    await waitUntil(() => !existsSync(join(folder, "new file.txt")));
    assert.equal(await sandbox.git(folder, "ls-files", "--stage"), index);
    await page.close();
    await sandbox.stopServer();
    await sandbox.serve();
    const later = await sandbox.open();
    await panel(later).waitFor();
    await tab(later, "Changes").click();
    await changes(later).getByRole("button", { name: "1 revert" }).click();
    await changes(later)
      .getByRole("list", { name: "Reverts" })
      .getByRole("button", { name: "Undo" })
      .click();
    await waitUntil(() => existsSync(join(folder, "new file.txt")));
    assert.equal(readFileSync(join(folder, "new file.txt"), "utf8"), "new\n");

    // The dialog proposes a message, keeps an edited one when it is closed, and lets the user choose files.
    await changes(later).getByRole("button", { name: "Commit…" }).click();
    const message = dialog(later, "Commit").getByRole("textbox", {
      name: "Message",
    });
    await waitUntil(
      async () => (await message.inputValue()) === "Tidy the lines",
    );
    await message.fill('Tidy: "some" lines\n\nWith a body.');
    await dialog(later, "Commit")
      .getByRole("button", { name: "Cancel" })
      .click();
    await changes(later).getByRole("button", { name: "Commit…" }).click();
    assert.equal(
      await message.inputValue(),
      'Tidy: "some" lines\n\nWith a body.',
    );
    await dialog(later, "Commit")
      .getByRole("checkbox", { name: "new file.txt" })
      .uncheck({ force: true });
    await dialog(later, "Commit")
      .getByRole("button", { name: /^Commit 1 file/ })
      .click();
    await changes(later).getByText("1 uncommitted file").waitFor();
    assert.equal(
      await sandbox.git(folder, "log", "-1", "--format=%B"),
      'Tidy: "some" lines\n\nWith a body.',
    );
    assert.equal(
      await sandbox.git(folder, "status", "--porcelain", "--", "new file.txt"),
      '?? "new file.txt"',
    );

    // The user's editor gets the file's path as one argument.
    await changes(later)
      .getByRole("region", { name: "new file.txt", exact: true })
      .getByRole("button", { name: "Open in editor" })
      .click();
    await later.getByText("No editor is chosen").waitFor();
    await sandbox.console("settings", "editor", "my-editor +{line}");
    await changes(later)
      .getByRole("region", { name: "new file.txt", exact: true })
      .getByRole("button", { name: "Open in editor" })
      .click();
    await waitUntil(
      () =>
        existsSync(noted) &&
        readFileSync(noted, "utf8") === `+1\n${join(folder, "new file.txt")}\n`,
    );

    // The branch is pushed, and a pull request is opened with gh.
    await changes(later).getByRole("button", { name: "Publish…" }).click();
    await dialog(later, "Publish")
      .getByRole("textbox", { name: "Title" })
      .fill("Tidy; $(touch /tmp/x)");
    await dialog(later, "Publish")
      .getByRole("button", { name: "Push and open pull request" })
      .click();
    await dialog(later, "Publish")
      .getByRole("link", { name: "https://github.example/pull/7" })
      .waitFor();
    assert.ok(
      readFileSync(noted, "utf8").startsWith(
        "pr\ncreate\n--head\nwork\n--title\nTidy; $(touch /tmp/x)\n--body-file\n-\n",
      ),
    );
    const pushed = await sandbox.git(
      join(sandbox.base, "remote.git"),
      "rev-parse",
      "work",
    );
    assert.equal(pushed, await sandbox.git(folder, "rev-parse", "HEAD"));
  },
);

journey("changes are shown beside the terminal if there is room, with the user's width", { needs, long: true }, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  const aside = page.getByRole("region", { name: "Changes", exact: true });
  const line = page.getByRole("separator", { name: "Width of the changes" });
  const share = async () => Number(await line.getAttribute("aria-valuenow"));
  await newSession(page, { title: "Greets", objective: "[[write:greet.ts:export const greeting = 'hello';]]" });
  await allow(page);
  await chatText(page, "Done: the tools ran.").first().waitFor();
  await atPrompt(page);
  await tab(page, "Terminal").click();
  await terminal(page).getByText("Done: the tools ran.").first().waitFor();
  const fullWidth = (await terminal(page).boundingBox()).width;

  // The shortcut works in the terminal, where claude gets most other keys.
  await page.keyboard.press("Control+Shift+E");
  await aside.getByText("1 uncommitted file").waitFor();
  await terminal(page).getByText("Done: the tools ran.").first().waitFor();
  assert.equal(await tab(page, "Changes").count(), 0);
  const [left, right] = [await terminal(page).boundingBox(), await aside.boundingBox()];
  assert.ok(left.x + left.width <= right.x && right.width > 400, JSON.stringify([fullWidth, left, right]));

  await page.keyboard.press("Control+Shift+D");
  await waitUntil(() => aside.evaluate((it) => it === document.activeElement));
  await page.keyboard.press("v");
  await aside.getByText("1 of 1 viewed").waitFor();

  // The divider is moved with keys and with the mouse, and its position survives a reload.
  assert.equal(await line.getAttribute("aria-orientation"), "vertical");
  const before = await share();
  await line.focus();
  await page.keyboard.press("ArrowLeft");
  await waitUntil(async () => (await share()) < before);
  const at = await line.boundingBox();
  const middle = { x: at.x, y: at.y + at.height / 2 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x + 120, middle.y, { steps: 4 });
  await page.mouse.up();
  await waitUntil(async () => (await aside.boundingBox()).x > at.x + 60);
  const chosen = Math.round(await share());
  await page.reload();
  await aside.getByText("1 uncommitted file").waitFor();
  await waitUntil(async () => Math.round(await share()) === chosen);

  // In a small window, the changes are a tab again; in a large one, they are beside the terminal.
  await page.setViewportSize({ width: 800, height: 600 });
  await tab(page, "Changes").click();
  await changes(page).getByText("1 uncommitted file").waitFor();
  assert.equal(await line.count(), 0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await aside.getByText("1 uncommitted file").waitFor();
  await page.getByRole("button", { name: "Show changes as a tab" }).click();
  await tab(page, "Changes").waitFor();
});

journey("worktrees are listed, unsaved work is shown before removal, and a missing one is created again", {}, async (sandbox) => {
  const start = async (branch) => {
    const { session } = JSON.parse(await sandbox.console("session", "start", "--simulated", "--worktree", "--branch", branch, "--prompt", "", "--json"));
    return session;
  };
  const [kept, lost] = [await start("kept"), await start("lost")];
  for (const { id } of [kept, lost]) await sandbox.console("session", "pause", id);
  writeFileSync(join(kept.cwd, "notes.txt"), "mine\n");
  await sandbox.serve();
  const page = await sandbox.open();
  await command(page, "worktrees");
  const list = dialog(page, "Worktrees");
  const line = (branch) => list.getByRole("listitem", { name: branch });
  await line("kept").waitFor();
  await line("lost").waitFor();

  // A worktree with uncommitted work is removed only after the user has seen the work.
  await line("kept").getByRole("button", { name: "Remove kept" }).click();
  const loss = dialog(page, "Work that would be lost");
  await loss.getByText("notes.txt").waitFor();
  writeFileSync(join(kept.cwd, "later.txt"), "after the look\n");
  await loss.getByRole("button", { name: "Remove anyway" }).click();
  // Because there is newer work, the removal is refused and the work is shown again.
  await loss.getByText("later.txt").waitFor();
  assert.ok(existsSync(join(kept.cwd, "later.txt")));
  await loss.getByRole("button", { name: "Remove anyway" }).click();
  await list.getByText("Branch kept is kept.").waitFor();
  await line("kept").getByRole("button", { name: "Recreate" }).waitFor();
  assert.ok(!existsSync(kept.cwd));

  // A worktree that was deleted by hand is recreated for its session.
  rmSync(lost.cwd, { recursive: true });
  await list.getByRole("button", { name: "Check again" }).click();
  await line("lost").getByRole("button", { name: "Recreate" }).click();
  await waitUntil(() => existsSync(join(lost.cwd, ".git")));
  await line("lost").getByText("clean").waitFor();
});
