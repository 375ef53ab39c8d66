// Journey: pause, resume, queued prompts, an interrupted turn, and the end with a review.

import assert from "node:assert/strict";
import { journey } from "../sandbox.js";
import { atPrompt, chat, chatText, column, confirmEnd, panel, sendPrompt, startWork, toast } from "../actions.js";

journey("a session is paused, resumed, prompted, interrupted and ended", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("Tell a story");
  await sandbox.serve();
  const page = await sandbox.open();
  await startWork(page, id, { objective: "[[say:Once upon a time.]]" });
  await chatText(page, "Once upon a time.").first().waitFor();
  await atPrompt(page);

  // After a pause and a resume, the chat still shows the conversation.
  await panel(page).getByRole("button", { name: "Pause" }).click();
  await chat(page).getByText(/^Paused.*Claude is not running\.$/).waitFor();
  await panel(page).getByRole("button", { name: "Resume", exact: true }).first().click();
  await atPrompt(page);
  await chatText(page, "Once upon a time.").first().waitFor();

  // A prompt that is sent while claude works is queued, shown as queued, and delivered later.
  await sendPrompt(page, "[[slow:60]]");
  await panel(page).getByRole("button", { name: /^Stop/ }).waitFor();
  await sendPrompt(page, "and then?");
  await chat(page).getByRole("list", { name: "Queued messages" }).waitFor();
  await chatText(page, "Reply to: and then?").waitFor();
  await chat(page).getByRole("list", { name: "Queued messages" }).waitFor({ state: "detached" });

  await atPrompt(page);
  await sendPrompt(page, "[[slow:900]]");
  await chat(page).getByText(/^Writing/).waitFor();
  await panel(page).getByRole("button", { name: /^Stop/ }).click();
  await atPrompt(page);

  // Ending the session moves the bead.
  await panel(page).getByRole("button", { name: "End", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "End Tell a story?" });
  const review = dialog.getByRole("checkbox", { name: `Move ${id} to In review` });
  assert.equal(await review.isChecked(), true);
  await confirmEnd(dialog);
  await toast(page, `${id} moved to In review`).waitFor();
  await column(page, "In review").getByText("Tell a story").waitFor();
  await chat(page).getByText("Closed sessions are read-only.").waitFor();
  assert.match(await sandbox.bd("show", id, "--json"), /"status": ?"in_review"/);

  assert.deepEqual(page.errors, []);
});
