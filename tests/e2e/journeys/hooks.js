// Lifecycle hooks: reviewed before they are allowed, tested, changed from outside, written, and run.

import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey, waitUntil } from "../sandbox.js";
import { atPrompt, chatText, command, confirmEnd, newSession, panel } from "../actions.js";

journey("hooks are viewed, allowed, tested and written, and run with a session", { needs: ["bd", "claude"] }, async (sandbox) => {
  const script = join(sandbox.project, "note.sh");
  const [started, ended] = ["started", "ended"].map((name) => join(sandbox.base, name));
  const note = (word) => {
    writeFileSync(script, `#!/bin/bash\ncat >> ${started}\necho '{"additionalContext":"The word is ${word}."}'\n`);
    chmodSync(script, 0o755);
  };
  note("alpha");
  const hooks = { version: 1, hooks: { sessionStart: [{ type: "command", bash: "./note.sh" }] } };
  writeFileSync(join(sandbox.project, "hooks.json"), JSON.stringify(hooks, null, 2));
  await sandbox.serve();
  const page = await sandbox.open();
  await command(page, "lifecycle hooks");
  const dialog = page.getByRole("dialog");
  const press = (name) => dialog.getByRole("button", { name, exact: true }).click();

  // Nothing in the repository runs before the user allows it.
  await dialog.getByText("Not allowed", { exact: true }).waitFor();
  await press("Review and allow…");
  await dialog.getByText("The word is alpha.").waitFor();
  assert.equal(existsSync(started), false);
  await press("Allow");
  await dialog.getByText("Allowed", { exact: true }).waitFor();

  // Tests the hook with sample data.
  await press("Test…");
  await press("Run");
  await dialog.getByText(/^exit 0, /).waitFor();
  await dialog.getByText("The word is alpha.", { exact: true }).waitFor();
  assert.match(readFileSync(started, "utf8"), /"event": ?"sessionStart"/);
  await press("Back");

  // After its script has changed, the hook does not run until the user allows the change.
  note("beta");
  await press("Reload");
  await dialog.getByText("Changed", { exact: true }).waitFor();
  await press("Review change…");
  const change = dialog.getByLabel("Changes");
  await change.getByText(/^-.*The word is alpha\./).waitFor();
  await change.getByText(/^\+.*The word is beta\./).waitFor();
  await press("Allow");
  await dialog.getByText("Allowed", { exact: true }).waitFor();

  // The user's own hooks need not be allowed.
  await press("Add hook…");
  await dialog.getByLabel("Bash command").fill(`cat > ${ended}; echo '{}'`);
  await press("Save");
  await dialog.getByText("Yours", { exact: true }).waitFor();
  await dialog.getByRole("listitem").filter({ hasText: "sessionEnd" }).getByText(ended).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  // Both hooks run with a session, each at its event.
  writeFileSync(started, "");
  await newSession(page, { title: "Hooked", objective: "[[say:Here.]]" });
  await chatText(page, "Here.").first().waitFor();
  await atPrompt(page);
  assert.match(readFileSync(started, "utf8"), /"source": ?"startup"/);
  assert.equal(existsSync(ended), false);
  await panel(page).getByRole("button", { name: "End", exact: true }).click();
  await confirmEnd(dialog);
  await dialog.waitFor({ state: "detached" });
  await waitUntil(() => existsSync(ended) && /"reason": ?"end"/.test(readFileSync(ended, "utf8")));
  assert.deepEqual(page.errors, []);
});
