// Journey: checkpoints with the real claude: turns that write files, a restore, its undo, and a fork.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journey, waitUntil } from "../sandbox.js";
import { atPrompt, chatText, panel, sendPrompt, startWork, tab } from "../actions.js";

journey("a turn is compared, restored, undone and forked", { needs: ["bd", "claude"] }, async (sandbox) => {
  const id = await sandbox.bead("Write three poems");
  const git = (...args) => sandbox.git(sandbox.project, ...args);
  const file = join(sandbox.project, "poem.txt");
  const mine = join(sandbox.project, "mine.txt");
  await sandbox.serve();
  const page = await sandbox.open();
  await startWork(page, id, { objective: "Wait for me" });
  await atPrompt(page);

  // Each turn writes a file. The user also changes a file, which is in no commit.
  writeFileSync(mine, "my first line\n");
  await turn(page, `one [[write:${file}:first poem]]`, 0);
  await turn(page, `two [[write:${file}:second poem]]`, 1);
  writeFileSync(mine, "my second line\n");
  await git("add", "mine.txt");
  await turn(page, `three [[write:${file}:third poem]]`, 2);
  assert.equal(readFileSync(file, "utf8").trim(), "third poem");
  const userState = async () => [
    await git("ls-files", "--stage"),
    await git("rev-parse", "HEAD"),
    await git("branch", "--list"),
  ];
  const before = await userState();

  await tab(page, "Changes").click();
  await panel(page).getByRole("radio", { name: "Turns" }).click();
  const list = panel(page).getByRole("list", { name: "Turns" });
  await list.getByRole("button", { name: /^Turn 3 .*two/ }).click();
  await panel(page).getByRole("group", { name: "Comparison" }).getByText("2 files").waitFor();
  await list.getByRole("button", { name: "Restore all…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore", exact: true }).click();
  await page.getByText("Restored 2 files").waitFor();
  assert.equal(readFileSync(file, "utf8").trim(), "first poem");
  assert.equal(readFileSync(mine, "utf8"), "my first line\n");
  assert.deepEqual(await userState(), before);

  await list.getByText(/^Restored all files to turn 3/).waitFor();
  await list.getByRole("button", { name: "Undo" }).first().click();
  await waitUntil(() => readFileSync(mine, "utf8") === "my second line\n");
  assert.equal(readFileSync(file, "utf8").trim(), "third poem");
  assert.deepEqual(await userState(), before);

  // The fork has the files and the conversation as they were before the prompt, in a separate worktree.
  await list.getByRole("button", { name: /^Turn 4 .*three/ }).click();
  await list.getByRole("button", { name: "Fork a session from here" }).click();
  await page.getByText("Session started from turn 4").waitFor();
  await tab(page, "Chat").click();
  const log = page.getByRole("log", { name: "Conversation" });
  await log.getByText(/^two \[\[write/).first().waitFor();
  assert.equal(await log.getByText(/^three \[\[write/).count(), 0);
  const { sessions } = JSON.parse(await sandbox.console("session", "list", "--json"));
  const fork = sessions.find(({ forked_from }) => forked_from);
  assert.equal(fork.forked_from.turn, 4);
  assert.notEqual(fork.cwd, sandbox.project);
  assert.equal(readFileSync(join(fork.cwd, "poem.txt"), "utf8").trim(), "second poem");
  assert.equal(readFileSync(join(fork.cwd, "mine.txt"), "utf8"), "my second line\n");
  assert.equal(readFileSync(file, "utf8").trim(), "third poem", "the fork changed the other session's files");
  await atPrompt(page);
  await sendPrompt(page, "go on in the fork");
  await chatText(page, "Reply to: go on in the fork").waitFor();
  assert.ok(existsSync(file));

  // The copied messages' tokens count for the session from which they were copied.
  await atPrompt(page);
  const counts = () => tokensById(sandbox);
  await waitUntil(async () => {
    const { sessions } = JSON.parse(await sandbox.console("session", "list", "--json"));
    return sessions.reduce((sum, { total_tokens }) => sum + (total_tokens ?? 0), 0) === counts().total;
  });
  assert.ok(counts().repeated > 0, "the fork's own transcript repeats messages");
  const all = JSON.parse(await sandbox.console("session", "metrics", "--json"));
  assert.equal(all.dashboard.total.tokens, counts().total);
  assert.deepEqual(page.errors, []);
});

/** Sends a prompt, allows its tool, and waits for the end of the turn. `before`: the number of earlier turns
 * with a tool. */
async function turn(page, prompt, before) {
  await sendPrompt(page, prompt);
  await page.getByRole("button", { name: /^Allow once/ }).first().click();
  await chatText(page, "Done: the tools ran.").nth(before).waitFor();
  await atPrompt(page);
}

/** The tokens in all of claude's transcripts: `total` counts each message once; `repeated` is the number of
 * messages in more than one transcript. */
function tokensById(sandbox) {
  const folder = join(sandbox.env.CLAUDE_CONFIG_DIR, "projects");
  const [known, repeated] = [new Map(), new Set()];
  for (const name of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".jsonl"))) {
    for (const line of readFileSync(join(folder, name), "utf8").split("\n")) {
      const { type, message } = line === "" ? {} : JSON.parse(line);
      if (type !== "assistant" || message.model === "<synthetic>") continue;
      const { input_tokens, cache_creation_input_tokens = 0, output_tokens } = message.usage;
      const before = known.get(message.id);
      if (before && before.name !== name) repeated.add(message.id);
      const tokens = input_tokens + cache_creation_input_tokens + output_tokens;
      known.set(message.id, { name, tokens: Math.max(tokens, before?.tokens ?? 0) });
    }
  }
  return { total: [...known.values()].reduce((sum, { tokens }) => sum + tokens, 0), repeated: repeated.size };
}
