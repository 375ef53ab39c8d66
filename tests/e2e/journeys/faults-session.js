// Session faults while pages are open: claude dies, its host dies, two windows act at once, and the project's folder
// disappears.

import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { WebSocketProxy } from "../websocket-proxy.js";
import { journey, waitUntil } from "../sandbox.js";
import {
  atPrompt, card, chat, chatText, confirmEnd, panel, screen, sendPrompt, startWork, tab, terminal, toast,
} from "../actions.js";

journey("a killed claude or session host is reported, and the session can be resumed", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("Die and come back");
  await sandbox.serve();
  const page = await sandbox.open();
  await startWork(page, id, { objective: "[[say:First words.]]" });
  await chatText(page, "First words.").waitFor();
  await atPrompt(page);
  await tab(page, "Terminal").click();
  await screen(page).getByText("First words.").first().waitFor();
  await tab(page, "Chat").click();

  // Kills only claude, in the middle of an answer.
  await sendPrompt(page, "[[slow:30]]");
  await chat(page).getByText(/word3\b/).last().waitFor();
  const first = await liveOf(page);
  process.kill(first.agent_pid, "SIGKILL");
  await chat(page).getByText(/^Claude (exited|stopped).*\.$/).waitFor();
  await row(page, /Die and come back/).getByText("Paused", { exact: true }).waitFor();
  // The partial reply is shown once and is marked.
  await chat(page).getByText("Incomplete: Claude stopped before the reply was finished.").waitFor();
  assert.equal(await chat(page).getByRole("log").getByText(/word3\b/).count(), 1);
  await tab(page, "Terminal").click();
  await terminal(page).getByText("Claude is not running. Resume the session to continue.").waitFor();
  await tab(page, "Chat").click();
  await resume(page);
  // The resume prompt contains claude's partial reply and the objective, which claude answers again.
  await chat(page).getByRole("log").getByText("First words.", { exact: true }).nth(1).waitFor();
  await sendPrompt(page, "are you back?");
  await chatText(page, "Reply to: are you back?").waitFor();
  await atPrompt(page);

  // Kills the host, which also ends claude.
  const second = await liveOf(page);
  process.kill(second.host_pid, "SIGKILL");
  await chat(page).getByText(/^Claude stopped unexpectedly.*Nothing recorded is lost\.$/).waitFor();
  await waitForExit(second.agent_pid);
  await resume(page);
  await chatText(page, "Reply to: are you back?").waitFor();
  assert.equal(await page.getByText("Connection lost.").count(), 0);
  assert.deepEqual(page.errors, []);
});

journey("when two windows act on one session, one wins and the other shows the result", { needs: ["bd", "claude"], long: true }, async (sandbox) => {
  const id = await sandbox.bead("Pulled by two");
  const file = join(sandbox.project, "once.txt");
  await sandbox.serve();
  const proxy = await WebSocketProxy.start();
  try {
    const one = await sandbox.open();
    // The proxy can delay the events of the second page.
    const context = await sandbox.visitor(proxy.options);
    const two = await sandbox.open(context);
    await startWork(one, id, { objective: "[[say:Pull.]]" });
    await row(two, /Pulled by two/).click();
    await atPrompt(one);
    await sendPrompt(one, `[[write:${file}:once]]`);
    const ask = (page) => page.getByRole("region", { name: "claude wants to write a file" });
    await ask(one).waitFor();
    await ask(two).waitFor();

    // Without new events, the second page still shows the permission request that the first page answers.
    proxy.hold("events");
    await ask(one).getByRole("button", { name: /^Allow once/ }).click();
    await chatText(one, "Done: the tools ran.").waitFor();
    await ask(two).getByRole("button", { name: /^Allow once/ }).click();
    await toast(two, /^This permission request is not open any more/).waitFor();
    await ask(two).waitFor({ state: "detached" });
    proxy.release("events");
    await chatText(two, "Done: the tools ran.").waitFor();
    for (const page of [one, two]) await atPrompt(page);
    assert.equal(readFileSync(file, "utf8").trim(), "once");

    // Both pages pause at the same time.
    await Promise.all([one, two].map((page) => button(page, "Pause").click()));
    for (const page of [one, two]) await chat(page).getByText(/^Paused.*Claude is not running\.$/).waitFor();

    // One page resumes, while the other still shows the session as paused.
    proxy.hold("events");
    await button(one, "Resume").click();
    await atPrompt(one);
    await button(two, "Resume").click();
    await toast(two, "Pulled by two was already resumed in another window").waitFor();
    await button(two, "Pause").waitFor();

    // One page ends the session, while the other still shows it as running.
    await end(one);
    await chat(one).getByText("Closed sessions are read-only.").waitFor();
    await end(two);
    await toast(two, "Pulled by two was already ended in another window").waitFor();
    await chat(two).getByText("Closed sessions are read-only.").waitFor();
    proxy.release("events");
    for (const page of [one, two]) {
      const errors = await page.locator(".toast.error").allTextContents();
      assert.deepEqual(errors, [], "a page reports an error although nothing failed");
      assert.deepEqual(page.errors, []);
    }
  } finally {
    await proxy.end();
  }
});

journey("a project whose folder is moved away is reported missing, and is complete when it is back", { needs: ["bd", "claude"], long: true }, async (sandbox) => {
  const id = await sandbox.bead("Work on solid ground");
  await sandbox.serve();
  const page = await sandbox.open();
  await startWork(page, id, { objective: "[[say:Still here.]]" });
  await chatText(page, "Still here.").waitFor();
  await atPrompt(page);

  // The project is closed and opened again while claude runs; claude's text is shown once.
  await page.getByRole("button", { name: "demo", exact: true }).click();
  await page.getByRole("menuitem", { name: "Close demo" }).click();
  await page.getByRole("button", { name: /demo/ }).first().click();
  await row(page, /Work on solid ground/).click();
  await atPrompt(page);
  await page.getByRole("log", { name: "Conversation" }).evaluate((log) => {
    const check = () => (window.twice ??= /(word\d+)\s+\1\b/.exec(log.innerText)?.[1]);
    new MutationObserver(check).observe(log, { childList: true, subtree: true, characterData: true });
  });
  await sendPrompt(page, "[[slow:12]]");
  await chat(page).getByText(/word11\b/).first().waitFor();
  await atPrompt(page);
  assert.equal(await page.evaluate(() => window.twice), undefined);

  await tab(page, "Terminal").click();
  await screen(page).getByText("word11").first().waitFor();
  await page.waitForFunction(() => document.activeElement?.closest("[data-terminal]"));

  // The folder is moved away while claude runs; claude continues.
  const away = `${sandbox.project}-away`;
  const folderMissing = page.getByRole("main").getByText("Folder not found");
  renameSync(sandbox.project, away);
  await folderMissing.waitFor();
  await page.getByRole("main").getByText(/was moved or deleted\. Sessions running in it continue until they end\.$/).waitFor();
  await panel(page).getByRole("heading", { name: "Work on solid ground" }).waitFor();
  await page.keyboard.type("typed over the abyss");
  await screen(page).getByText("typed over the abyss").first().waitFor();
  await page.keyboard.press("Control+u");
  await screen(page).getByText("typed over the abyss").waitFor({ state: "detached" });

  // A page that opens now also shows that the folder is missing.
  const late = await sandbox.open(page.context());
  await late.getByRole("main").getByText("Folder not found").waitFor();
  renameSync(away, sandbox.project);
  await folderMissing.waitFor({ state: "detached" });
  await card(page, id).waitFor();
  await card(late, id).waitFor();
  await late.close();
  await tab(page, "Chat").click();
  await sendPrompt(page, "and now?");
  await chatText(page, "Reply to: and now?").waitFor();
  await atPrompt(page);
  await end(page);
  await chat(page).getByText("Closed sessions are read-only.").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });

  // The folder is deleted and replaced by a copy. A running bd removes files from folders that are being
  // copied, and adds files to folders that are being deleted, so both are retried.
  await waitUntil(() => tryCopy(sandbox.project, away));
  await waitUntil(() => tryDelete(sandbox.project));
  await folderMissing.waitFor();
  renameSync(away, sandbox.project);
  await folderMissing.waitFor({ state: "detached" });
  await row(page, /Work on solid ground/).waitFor();
  const other = await sandbox.bead("Made after it came back");
  await card(page, other).waitFor();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "New bead" });
  await dialog.getByLabel("Title").fill("Made here after it came back");
  await dialog.getByRole("button", { name: /^Create/ }).click();
  await toast(page, /created$/).waitFor();
  assert.deepEqual(page.errors, []);
});

/** Copies a folder. Returns false if another process removed a file in the meantime. */
function tryCopy(from, to) {
  try {
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    return true;
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    rmSync(to, { recursive: true, force: true });
    return false;
  }
}

/** Deletes a folder. Returns false if another process added a file in the meantime. */
function tryDelete(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch (error) {
    if (error.code !== "ENOTEMPTY") throw error;
    return false;
  }
}

const row = (page, name) => page.getByRole("region", { name: "Sessions" }).getByRole("button", { name }).first();
const button = (page, name) => panel(page).getByRole("button", { name }).first();

async function end(page) {
  await panel(page).getByRole("button", { name: "End", exact: true }).click();
  await confirmEnd(page.getByRole("dialog"));
}

async function resume(page) {
  await button(page, "Resume").click();
  await atPrompt(page);
}

/** The live state of the first listed session. */
async function liveOf(page) {
  return page.evaluate(async () => {
    const call = async (method, project) => {
      const body = JSON.stringify({ project, params: {} });
      return (await fetch(`/rpc/${method}`, { method: "POST", headers: { "content-type": "application/json", authorization: `Bearer ${sessionStorage.getItem("access")}` }, body })).json();
    };
    const { projects } = await call("app.projects");
    return (await call("session.list", projects[0].key)).sessions[0].live;
  });
}

/** Waits until a process has ended, even if its parent has not yet reaped it. */
async function waitForExit(pid) {
  while (existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))) {
    await new Promise((done) => setTimeout(done, 50));
  }
}
