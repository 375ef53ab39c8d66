// The sandbox of one journey: a git repository tracked by the real bd, the real claude with a scripted model, the
// built server, and Debian's Chromium. It reads nothing of the machine's user.

import { spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { recordPage, saveFailure } from "./failure-report.js";
import { CHROMIUM, chrome, cleanUp, environment, newBase, programOf, programs, run, running, terminalOf, trackedProject } from "./environment.js";

export { CHROMIUM, chrome, programs };

const here = dirname(fileURLToPath(import.meta.url));
/** The folder of pictures and failure reports, which git ignores. */
export const artefacts = join(here, "..", "artefacts");
/** The time limit of one condition, in milliseconds. The slowest one is the start of claude on a busy machine. */
export const TIMEOUT = 90_000;
/** The time limit of one run of a journey, in milliseconds. */
const JOURNEY_TIMEOUT = 480_000;
/** Whether the long journeys run, too. */
const ALL = process.env.BC_TEST_ALL === "1";
/** The number of journeys that run in parallel. Each mostly waits for claude and bd. */
const LANES = Number(process.env.BC_TEST_LANES ?? 2);

// ---- requirements -----------------------------------------------------------------------------------

const PARTS = {
  bd: () => absent("BC_TEST_BD"),
  claude: () => absent("BC_TEST_CLAUDE"),
};

function absent(variable) {
  const path = process.env[variable];
  if (!path) return `${variable} is not set`;
  return existsSync(path) ? null : `${variable}: ${path} does not exist`;
}

/** The reason why no browser can run on this machine, or null. */
export const noBrowser = () => (existsSync(CHROMIUM) ? null : `${CHROMIUM} does not exist (install Debian's package chromium)`);

function missingProgram(needs, place) {
  for (const name of ["beads-console", "bc-scripted-api"]) {
    if (!existsSync(join(programs, name))) return `${join(programs, name)} is not built`;
  }
  // Each sandbox is a bd project, so all journeys need bd.
  return place() ?? ["bd", ...needs].map((need) => PARTS[need]()).find(Boolean) ?? null;
}

/**
 * Declares a journey: a test with a sandbox. Without its required programs it is skipped with a message, or
 * fails under BC_TEST_DEMAND=1. `place` returns the reason why the journey cannot run, or null; by default it
 * checks for a browser. A `long` journey, of a rarer use or fault, runs only with BC_TEST_ALL=1, as in
 * `cargo xtask test --full`.
 */
export function journey(name, { needs = ["bd"], place = noBrowser, long = false }, body) {
  journeys ??= newSuite();
  if (long && !ALL) {
    leftOut += 1;
    return;
  }
  const why = missingProgram(needs, place);
  journeys.push([name, async (t) => {
    if (why) {
      if (process.env.BC_TEST_DEMAND === "1") throw new Error(`${name}: ${why}, and BC_TEST_DEMAND=1`);
      process.stderr.write(`SKIPPED ${name}: ${why}\n`);
      t.skip(why);
      return;
    }
    try {
      await runOnce(name, body, t);
    } catch (error) {
      if (process.env.BC_TEST_DEMAND !== "1") throw error;
      // Build machines share their cores, which can cause failures that occur nowhere else. The first failure
      // is reported, and a second run decides.
      process.stderr.write(`FLAKY? ${name}: ${error.stack ?? error}\n`);
      t.diagnostic(`ran a second time after: ${error.message}`);
      await runOnce(name, body, t);
      process.stderr.write(`FLAKY ${name}: it passed in its second run\n`);
    }
  }]);
}

/** Runs a journey in a new sandbox and keeps its state if it fails. */
async function runOnce(name, body, t) {
  const sandbox = await Sandbox.make();
  const late = deadline(name);
  try {
    await Promise.race([body(sandbox, t), late.passed]);
  } catch (error) {
    process.stderr.write(`KEPT ${name}: ${await sandbox.saveState(name).catch(String)}\n`);
    // On a build machine, often only the log remains, so the end of each page is written to it.
    for (const page of sandbox.pages.filter((page) => page.locator)) process.stderr.write(`SEEN ${JSON.stringify(await endOfPage(page))}\n`);
    // The journey's own error is reported, not an error of the cleanup.
    await sandbox.end().catch((after) => process.stderr.write(`NOT CLEANED UP ${name}: ${after}\n`));
    throw error;
  } finally {
    late.stop();
  }
  await sandbox.end();
}

/** The last 600 characters of a page's text, and the first 300 of its last dialog. */
async function endOfPage(page) {
  const text = (where) => page.locator(where).last().innerText({ timeout: 2_000 }).catch(() => "");
  return { main: (await text("body")).slice(-600), dialog: (await text("[role=dialog]")).slice(0, 300) };
}

let journeys;
/** The number of long journeys that do not run this time. */
let leftOut = 0;
let loading = false;

/** Creates the list of journeys. When all are loaded, they become one suite of the process. */
function newSuite() {
  const list = [];
  if (!loading) setImmediate(() => declareSuite(list));
  return list;
}

function declareSuite(list) {
  if (leftOut > 0) process.stderr.write(`${leftOut} long journeys run only with BC_TEST_ALL=1\n`);
  describe("journeys", { concurrency: LANES }, () => {
    // The journey's own time limit must be reached first, since it saves the state of the failure.
    for (const [name, body] of list) test(name, { timeout: 3 * JOURNEY_TIMEOUT }, body);
  });
}

/** Loads journey files one after the other into one suite. */
export async function loadTogether(files) {
  loading = true;
  for (const file of files) await import(file);
  declareSuite(journeys);
}

/** Waits for a condition that no page shows. Throws after `TIMEOUT`. */
export async function waitUntil(condition) {
  for (const end = Date.now() + TIMEOUT; !(await condition()); ) {
    if (Date.now() > end) throw new Error(`not true within ${TIMEOUT / 1000} s: ${condition}`);
    await new Promise((next) => setTimeout(next, 50));
  }
}

function deadline(name) {
  let timer;
  const passed = new Promise((_, failed) => {
    const fail = () => failed(new Error(`${name}: not finished after ${JOURNEY_TIMEOUT / 1000} s`));
    timer = setTimeout(fail, JOURNEY_TIMEOUT);
  });
  return { passed, stop: () => clearTimeout(timer) };
}

// ---- one sandbox ------------------------------------------------------------------------------------

class Sandbox {
  pages = [];
  /** Functions that stop processes without the sandbox's mark in their environment. */
  atEnd = [];
  #contexts = [];
  #log = "";
  /** The link printed at the server's start, until a page opens it. */
  #unused = null;

  static async make() {
    const sandbox = new Sandbox();
    const from = await trackedProject();
    sandbox.base = newBase();
    sandbox.env = environment(sandbox.base);
    sandbox.project = join(sandbox.base, "w", "demo");
    cpSync(join(from, "w", "demo"), sandbox.project, { recursive: true, verbatimSymlinks: true });
    symlinkSync(process.env.BC_TEST_BD, join(sandbox.base, "bin", "bd"));
    if (process.env.BC_TEST_CLAUDE) {
      symlinkSync(process.env.BC_TEST_CLAUDE, join(sandbox.base, "bin", "claude"));
      await sandbox.#startModel();
    }
    return sandbox;
  }

  /**
   * Starts the scripted model. Also writes claude's own settings file, as if the user had started claude and
   * trusted the project.
   */
  async #startModel() {
    const model = spawn(join(programs, "bc-scripted-api"), [], { env: this.env, stdio: ["ignore", "pipe", "pipe"] });
    model.stderr.on("data", (bytes) => (this.#log += `model: ${bytes}`));
    const lines = createInterface({ input: model.stdout });
    await new Promise((ready, failed) => {
      model.once("exit", (code) => failed(new Error(`the scripted model ended with ${code}`)));
      lines.on("line", (line) => {
        const [, name, value] = /^export (\w+)=(.*)$/.exec(line) ?? [];
        if (name) this.env[name] = value;
        if (name === "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC") ready();
      });
    });
    const known = {
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: [this.env.ANTHROPIC_API_KEY.slice(-20)], rejected: [] },
      projects: { [this.project]: { hasTrustDialogAccepted: true } },
    };
    writeFileSync(join(this.env.CLAUDE_CONFIG_DIR, ".claude.json"), JSON.stringify(known));
  }

  /** Runs the real bd in the project, as another user would, and returns its output. */
  async bd(...args) {
    const { stdout } = await run(join(this.base, "bin", "bd"), args, { cwd: this.project, env: this.env });
    return stdout.trim();
  }

  /** Runs `beads-console` in the project and returns its output. */
  async console(...args) {
    const { stdout } = await run(join(programs, "beads-console"), args, { cwd: this.project, env: this.env });
    return stdout.trim();
  }

  /** Runs claude in a folder, outside this program, and returns its output. */
  async claude(folder, ...args) {
    const { stdout } = await run(join(this.base, "bin", "claude"), args, { cwd: folder, env: this.env });
    return stdout;
  }

  /** Runs git in a folder, as another user would, and returns its output. */
  async git(folder, ...args) {
    const { stdout } = await run("git", args, { cwd: folder, env: this.env });
    return stdout.trim();
  }

  /** Creates a bead with bd and returns its ID. */
  async bead(title, ...options) {
    const made = JSON.parse(await this.bd("create", title, "--json", ...options));
    return (made.data ?? made).id;
  }

  /** The recorded sessions, newest first, each with its folder. */
  sessions() {
    const all = join(this.project, ".beads", "sessions");
    return readdirSync(all)
      .map((id) => join(all, id))
      .filter((folder) => existsSync(join(folder, "meta.json")))
      .map((folder) => ({ ...JSON.parse(readFileSync(join(folder, "meta.json"), "utf8")), folder }))
      .sort((a, b) => b.created_at.localeCompare(a.created_at));
  }

  /** The recorded messages of the newest session. */
  messages() {
    const file = join(this.sessions()[0].folder, "messages.jsonl");
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
    return lines.map((line) => JSON.parse(line));
  }

  /** The number of rows of the running claude's terminal, as the system reports it. */
  async terminalRows() {
    const [pid] = running(this.base).filter((pid) => programOf(pid) === "claude" && terminalOf(pid) !== null);
    const { stdout } = await run("stty", ["-F", terminalOf(pid), "size"]);
    return Number(stdout.split(" ")[0]);
  }

  /** Starts the server and waits until it prints its link and port. */
  async serve(...args) {
    const server = spawn(join(programs, "beads-console"), ["--project", this.project, "serve", ...args], {
      cwd: this.project,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.server = server;
    server.stderr.on("data", (bytes) => (this.#log += bytes));
    const line = await new Promise((ready, failed) => {
      createInterface({ input: server.stdout }).once("line", ready);
      server.once("error", failed);
      server.once("exit", (code, signal) => failed(new Error(`the server ended with ${code ?? signal}:\n${this.#log}`)));
    });
    const { url, port } = JSON.parse(line);
    this.link = url;
    this.#unused = url;
    this.port = port;
    this.origin = new URL(url).origin;
    return this;
  }

  /** Stops the server with a clean shutdown, as Ctrl+C does. */
  async stopServer() {
    const gone = new Promise((done) => this.server.once("exit", done));
    this.server.kill("SIGTERM");
    await gone;
  }

  /** Kills the server without a shutdown, as a crash would. */
  async killServer() {
    const gone = new Promise((done) => this.server.once("exit", done));
    this.server.kill("SIGKILL");
    await gone;
  }

  /** Creates a browser context without access. */
  async visitor(options = {}) {
    const context = await (await chrome()).newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: "dark",
      reducedMotion: "reduce",
      acceptDownloads: true,
      ...options,
    });
    context.setDefaultTimeout(TIMEOUT);
    this.#contexts.push(context);
    return context;
  }

  /** Opens a link of the server in a new page, whose requests and errors are recorded. */
  async open(context) {
    const page = await (context ?? (await this.visitor())).newPage();
    return this.#visit(page, await this.takeLink());
  }

  /** An unused link to the server; each link works once. */
  async takeLink() {
    const link = this.#unused ?? (await this.anotherLink());
    this.#unused = null;
    return link;
  }

  async anotherLink() {
    // The command does not run in the project's folder, because a journey may have moved it.
    const { stdout } = await run(join(programs, "beads-console"), ["serve", "--link", "--port", String(this.port)], { cwd: tmpdir(), env: this.env });
    return JSON.parse(stdout).url;
  }

  async #visit(page, address) {
    recordPage(page);
    this.pages.push(page);
    await page.goto(address);
    await page.getByRole("tab", { name: "Board" }).waitFor();
    return page;
  }

  /** Saves the state of a failed journey and returns the folder. */
  saveState(name) {
    return saveFailure(artefacts, name, { pages: this.pages, log: this.#log, project: this.project });
  }

  async end() {
    for (const stop of this.atEnd) stop();
    for (const context of this.#contexts) await context.close().catch(() => {});
    await cleanUp(this.base);
  }
}
