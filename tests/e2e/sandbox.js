// A sandbox of its own for a journey: a git repository whose tracker is the real bd, the real claude with a
// scripted model, the built server, and Debian's Chromium. Nothing of the machine's user is read.

import { spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { keep, listen } from "./keep.js";
import { CHROMIUM, chrome, clear, environment, newBase, programOf, programs, run, running, terminalOf, tracked } from "./world.js";

export { CHROMIUM, chrome, programs };

const here = dirname(fileURLToPath(import.meta.url));
/** Pictures and what is written about a failure; not in the repository. */
export const artefacts = join(here, "..", "artefacts");
/** Beyond this a condition will not come: the slowest is the start of claude on a very busy machine. */
export const PATIENCE = 90_000;
/** Beyond this a journey will not come to its end. */
const LONGEST = 480_000;
/** So many journeys are walked side by side: each mostly waits for claude and bd. */
const LANES = Number(process.env.BC_TEST_LANES ?? 2);

// ---- what is needed -------------------------------------------------------------------------------

const PARTS = {
  bd: () => absent("BC_TEST_BD"),
  claude: () => absent("BC_TEST_CLAUDE"),
};

function absent(variable) {
  const path = process.env[variable];
  if (!path) return `${variable} is not set`;
  return existsSync(path) ? null : `${variable}: ${path} is not there`;
}

/** Why there can be no browser here; null where there can. */
const noBrowser = () => (existsSync(CHROMIUM) ? null : `${CHROMIUM} is not there (Debian's package chromium)`);

function lacking(needs, place) {
  for (const name of ["beads-console", "bc-scripted-api"]) {
    if (!existsSync(join(programs, name))) return `${join(programs, name)} is not built`;
  }
  // Every sandbox is a project of bd's.
  return place() ?? ["bd", ...needs].map((need) => PARTS[need]()).find(Boolean) ?? null;
}

/**
 * A journey: a test with a sandbox, which is skipped loudly, or fails if all is demanded, without its parts.
 * `place` says what keeps it from its place, which is a browser unless it says otherwise.
 */
export function journey(name, { needs = ["bd"], place = noBrowser }, walk) {
  const why = lacking(needs, place);
  walks ??= collected();
  walks.push([name, async (t) => {
    if (why) {
      if (process.env.BC_TEST_DEMAND === "1") throw new Error(`${name}: ${why}, and BC_TEST_DEMAND=1`);
      process.stderr.write(`SKIPPED ${name}: ${why}\n`);
      t.skip(why);
      return;
    }
    try {
      await walkOnce(name, walk, t);
    } catch (error) {
      if (process.env.BC_TEST_DEMAND !== "1") throw error;
      // On a build machine, which shares its cores, one walk may meet what no other does: it is told, and a second decides.
      process.stderr.write(`FLAKY? ${name}: ${error.stack ?? error}\n`);
      t.diagnostic(`walked a second time after: ${error.message}`);
      await walkOnce(name, walk, t);
      process.stderr.write(`FLAKY ${name}: its second walk came to its end\n`);
    }
  }]);
}

/** Walks a journey in a sandbox that is new; what is on the screen when it fails is kept. */
async function walkOnce(name, walk, t) {
  const sandbox = await Sandbox.make();
  const late = deadline(name);
  try {
    await Promise.race([walk(sandbox, t), late.passed]);
  } catch (error) {
    process.stderr.write(`KEPT ${name}: ${await sandbox.keep(name).catch(String)}\n`);
    // Where only the log is left of a run, as of one on a build machine, the end of each page is in it.
    for (const page of sandbox.pages.filter((page) => page.locator)) process.stderr.write(`SEEN ${JSON.stringify(await seen(page))}\n`);
    // What ended the walk is what is to be told, not what came of it.
    await sandbox.end().catch((after) => process.stderr.write(`NOT CLEARED ${name}: ${after}\n`));
    throw error;
  } finally {
    late.stop();
  }
  await sandbox.end();
}

/** What stands at the end of a page and of its dialogs. */
async function seen(page) {
  const text = (where) => page.locator(where).last().innerText({ timeout: 2_000 }).catch(() => "");
  return { main: (await text("body")).slice(-600), dialog: (await text("[role=dialog]")).slice(0, 300) };
}

let walks;
let reading = false;

/** The journeys of a process become one suite once all of them were read. */
function collected() {
  const list = [];
  if (!reading) setImmediate(() => suite(list));
  return list;
}

function suite(list) {
  describe("journeys", { concurrency: LANES }, () => {
    // A journey's own end comes first, so that what was on the screen then is kept.
    for (const [name, walk] of list) test(name, { timeout: 3 * LONGEST }, walk);
  });
}

/** Reads files of journeys, one after the other, into one suite. */
export async function readTogether(files) {
  reading = true;
  for (const file of files) await import(file);
  suite(walks);
}

/** Waits for what no page tells of. */
export async function until(holds) {
  for (const end = Date.now() + PATIENCE; !(await holds()); ) {
    if (Date.now() > end) throw new Error(`not within ${PATIENCE / 1000} s: ${holds}`);
    await new Promise((next) => setTimeout(next, 50));
  }
}

function deadline(name) {
  let timer;
  const passed = new Promise((_, failed) => {
    timer = setTimeout(() => failed(new Error(`${name}: not at its end after ${LONGEST / 1000} s`)), LONGEST);
  });
  return { passed, stop: () => clearTimeout(timer) };
}

// ---- one sandbox ------------------------------------------------------------------------------------

export class Sandbox {
  pages = [];
  #contexts = [];
  #log = "";
  /** The link of the server's start, until a page has opened it. */
  #unused = null;

  static async make() {
    const sandbox = new Sandbox();
    const from = await tracked();
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

  /** The scripted model, and claude's own file as after its first start by a person who trusts the project. */
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

  /** What the real bd prints, run by "somebody else" in the project. */
  async bd(...args) {
    const { stdout } = await run(join(this.base, "bin", "bd"), args, { cwd: this.project, env: this.env });
    return stdout.trim();
  }

  /** What the command line prints, beside the server. */
  async console(...args) {
    const { stdout } = await run(join(programs, "beads-console"), args, { cwd: this.project, env: this.env });
    return stdout.trim();
  }

  /** What git prints, run by "somebody else" in a folder. */
  async git(folder, ...args) {
    const { stdout } = await run("git", args, { cwd: folder, env: this.env });
    return stdout.trim();
  }

  /** A new bead by bd; its id. */
  async bead(title, ...options) {
    const made = JSON.parse(await this.bd("create", title, "--json", ...options));
    return (made.data ?? made).id;
  }

  /** What is recorded of the sessions, newest first, each with the folder that it is in. */
  sessions() {
    const all = join(this.project, ".beads", "sessions");
    return readdirSync(all)
      .map((id) => join(all, id))
      .filter((folder) => existsSync(join(folder, "meta.json")))
      .map((folder) => ({ ...JSON.parse(readFileSync(join(folder, "meta.json"), "utf8")), folder }))
      .sort((a, b) => b.created_at.localeCompare(a.created_at));
  }

  /** What is recorded of the conversation of the newest session. */
  said() {
    const file = join(this.sessions()[0].folder, "messages.jsonl");
    const whole = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
    return whole.map((line) => JSON.parse(line));
  }

  /** How many rows the terminal of the one claude that runs here has, as the system says. */
  async terminalRows() {
    const [pid] = running(this.base).filter((pid) => programOf(pid) === "claude" && terminalOf(pid) !== null);
    const { stdout } = await run("stty", ["-F", terminalOf(pid), "size"]);
    return Number(stdout.split(" ")[0]);
  }

  /** Starts the server and waits for its line. */
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

  /** In order, as Ctrl+C does. */
  async stopServer() {
    const gone = new Promise((done) => this.server.once("exit", done));
    this.server.kill("SIGTERM");
    await gone;
  }

  /** As a power cut would: no farewell. */
  async killServer() {
    const gone = new Promise((done) => this.server.once("exit", done));
    this.server.kill("SIGKILL");
    await gone;
  }

  /** A browser of its own, without access. */
  async visitor(options = {}) {
    const context = await (await chrome()).newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: "dark",
      reducedMotion: "reduce",
      acceptDownloads: true,
      ...options,
    });
    context.setDefaultTimeout(PATIENCE);
    this.#contexts.push(context);
    return context;
  }

  /** A page on which a link of the server was opened; every request and every error of it is kept. */
  async open(context) {
    const page = await (context ?? (await this.visitor())).newPage();
    return this.#visit(page, await this.takeLink());
  }

  /** A link that was not used: each works once. */
  async takeLink() {
    const link = this.#unused ?? (await this.anotherLink());
    this.#unused = null;
    return link;
  }

  async anotherLink() {
    // Not from the project's folder, which may be moved away.
    const { stdout } = await run(join(programs, "beads-console"), ["serve", "--link", "--port", String(this.port)], { cwd: tmpdir(), env: this.env });
    return JSON.parse(stdout).url;
  }

  async #visit(page, address) {
    listen(page);
    this.pages.push(page);
    await page.goto(address);
    await page.getByRole("tab", { name: "Board" }).waitFor();
    return page;
  }

  /** What a failure looked like; the folder that it is in. */
  keep(name) {
    return keep(artefacts, name, { pages: this.pages, log: this.#log, project: this.project });
  }

  async end() {
    for (const context of this.#contexts) await context.close().catch(() => {});
    await clear(this.base);
  }
}
