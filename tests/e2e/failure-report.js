// Saves the evidence of a failed journey: each page with its console output, the server's log, and the session files.

import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Records a page's requests, errors and console output. */
export function recordPage(page) {
  page.requested = [];
  page.errors = [];
  page.printed = [];
  const print = (line) => page.printed.push(`${new Date().toISOString()} ${line}`);
  page.on("request", (request) => page.requested.push(request.url()));
  page.on("pageerror", (error) => {
    page.errors.push(String(error));
    print(`uncaught ${error.stack ?? error}`);
  });
  page.on("console", (message) => print(`${message.type()} ${message.text()}`));
  page.on("requestfailed", (request) => print(`failed ${request.url()} ${request.failure()?.errorText}`));
  page.on("response", (response) => {
    if (response.url().includes("/rpc/")) print(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  page.on("crash", () => print("the page crashed"));
}

/** Replaces the journey's folder of evidence and returns its path. */
export async function saveFailure(artefacts, name, { pages, log, project }) {
  const folder = join(artefacts, "failures", name.replace(/\W+/g, "-").slice(0, 60));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let serverLog = log;
  for (const [i, page] of pages.entries()) {
    const file = join(folder, `page-${i}`);
    if (page.saveState) {
      serverLog += await page.saveState(file);
      continue;
    }
    writeFileSync(`${file}.console.txt`, page.printed.join("\n"));
    if (page.isClosed()) continue;
    await page.screenshot({ path: `${file}.png`, timeout: 20_000 }).catch((error) => (serverLog += `\npage ${i}: no picture: ${error}`));
    writeFileSync(`${file}.html`, await page.content().catch((error) => String(error)));
  }
  writeFileSync(join(folder, "server.log"), serverLog);
  const sessions = join(project, ".beads", "sessions");
  if (existsSync(sessions)) cpSync(sessions, join(folder, "sessions"), { recursive: true, filter: (path) => !path.endsWith(".sock") });
  return folder;
}
