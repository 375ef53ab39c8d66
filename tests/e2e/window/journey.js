// The main workflow in the real window: board, Start Work, permission, pause, resume, end and export. On the
// way, the window is ended and reopened twice.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { journey, waitUntil } from "../sandbox.js";
import { Desktop, noWindow } from "./app.js";
import { atPrompt, chat, chatText, column, conversation, panel, sendPrompt, startWork } from "./actions.js";

const options = { needs: ["bd", "claude"], place: noWindow };

journey("in the window, a session is started, allowed, paused, resumed, ended and exported", options, async (sandbox) => {
  const id = await sandbox.bead("Add a greeting");
  const file = join(sandbox.project, "greeting.txt");
  let app = await Desktop.open(sandbox);

  await startWork(app, id, "[[say:I am ready.]]");
  await column(app, "In progress").text("Add a greeting").waitVisible();

  // Claude writes nothing before the user allows the request on the card.
  await chatText(app, "I am ready.").waitVisible();
  await atPrompt(app);
  await sendPrompt(app, `[[write:${file}:hello there]]`);
  const ask = (at) => at.role("region", "Claude wants to write a file");
  await ask(app).text("greeting.txt").waitVisible();
  assert.equal(existsSync(file), false);

  // The program ends while claude waits for a permission. After the restart, claude is still waiting.
  app = await app.terminateAndReopen();
  await panel(app).role("heading", "Add a greeting").waitVisible();
  await ask(app).role("button", /^Allow once/).click();
  await chatText(app, "Done: the tools ran.").waitVisible();
  assert.equal(readFileSync(file, "utf8").trim(), "hello there");
  await ask(app).waitGone();

  // The window is closed after a message. After the restart, it shows the same session and conversation.
  await atPrompt(app);
  await sendPrompt(app, "are you there?");
  await chatText(app, "Reply to: are you there?").waitVisible();
  await atPrompt(app);
  let before;
  // Waits for claude's last words, without the activity line that is shown while claude works.
  await waitUntil(async () => (before = await conversation(app)).trimEnd().endsWith("Reply to: are you there?"));
  app = await app.closeAndReopen();
  await panel(app).text("Your turn").waitVisible();
  await chatText(app, "Reply to: are you there?").waitVisible();
  await atPrompt(app);
  assert.equal(await conversation(app), before);

  await panel(app).role("button", /^Pause/).click();
  await chat(app).text(/^Paused.*Claude is not running\.$/).waitVisible();
  await panel(app).role("button", /^Resume/).click();
  await atPrompt(app);
  await sendPrompt(app, "and now?");
  await chatText(app, "Reply to: and now?").waitVisible();

  // Ending the session moves the bead.
  await atPrompt(app);
  await panel(app).role("button", "End").click();
  await app.role("dialog").text("No commit of this work was found. It can still be reviewed.").waitVisible();
  await app.role("dialog").role("button", /^End session/).click();
  await app.role("status").text(`${id} moved to In review`).waitVisible();
  await column(app, "In review").text("Add a greeting").waitVisible();
  assert.match(await sandbox.bd("show", id, "--json"), /"status": ?"in_review"/);

  // Exports twice. The second document gets another name in the downloads folder.
  const downloads = join(sandbox.env.HOME, "Downloads");
  for (const name of [/[^)]\.md$/, / \(1\)\.md$/]) {
    await app.role("button", "More actions for Add a greeting").click();
    await app.role("menuitem", /^Export/).click();
    const text = await app.role("status").text(new RegExp(`^Exported to .*${name.source}`)).property("textContent");
    const path = text.trim().replace(/^Exported to /, "");
    assert.equal(dirname(path), downloads);
    assert.match(readFileSync(path, "utf8"), /Reply to: and now\?/);
  }
});
