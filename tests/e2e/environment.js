// The parts that all journeys of a process share: one browser, one `bd init`, and a cleanup that ends all processes
// of a sandbox.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

export const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
/** The folder with the programs under test. */
export const programs = process.env.BC_TEST_PROGRAMS ?? join(here, "..", "..", "target", "debug");
export const CHROMIUM = process.env.BC_TEST_CHROMIUM ?? "/usr/bin/chromium";
/** All processes of a sandbox have this variable in their environment, by which the cleanup finds them. */
const MARK = "BC_JOURNEY";

let template;
let browser;

/** `bd init` takes many seconds, so it runs once, and each journey copies the resulting project. */
export function trackedProject() {
  template ??= (async () => {
    const base = newBase();
    const env = environment(base);
    const project = join(base, "w", "demo");
    mkdirSync(project, { recursive: true });
    const git = (...args) => run("git", args, { cwd: project, env });
    await git("init", "-q", "-b", "main");
    writeFileSync(join(project, "README.md"), "# demo\n");
    writeFileSync(join(project, ".gitignore"), ".claude/\n");
    symlinkSync(process.env.BC_TEST_BD, join(base, "bin", "bd"));
    const init = ["init", "--prefix", "BC", "--non-interactive", "--skip-hooks", "--skip-agents", "--quiet"];
    await run(join(base, "bin", "bd"), init, { cwd: project, env });
    await git("add", ".");
    await git("commit", "-qm", "start");
    return base;
  })();
  return template;
}

/** The one browser of the process; each journey has its own context. */
export function chrome() {
  browser ??= chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
      // Without WebGL, the terminal is drawn as text in the page, which tests can read. Some users' browsers lack
      // WebGL, too.
      "--disable-3d-apis",
    ],
  });
  return browser;
}

/** The folders of the existing sandboxes, which SIGINT and SIGTERM remove. */
const bases = new Set();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    bases.forEach((base) => running(base).forEach(kill));
    bases.forEach((base) => rmSync(base, { recursive: true, force: true }));
    process.exit(1);
  });
}

after(async () => {
  await (await browser)?.close();
  const base = await template?.catch(() => null);
  if (base) await cleanUp(base);
});

/** Creates a sandbox's folder. Its path is short, because socket paths are limited to about 100 bytes, and
 * resolved, because programs report resolved paths. */
export function newBase() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "bcj")));
  for (const dir of ["home/.claude", "bin", "tmp", "w"]) mkdirSync(join(base, dir), { recursive: true });
  mkdirSync(join(base, "run"), { mode: 0o700 });
  bases.add(base);
  return base;
}

export function environment(base) {
  const home = join(base, "home");
  return {
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_RUNTIME_DIR: join(base, "run"),
    TMPDIR: join(base, "tmp"),
    PATH: [join(base, "bin"), "/usr/bin", "/bin"].join(":"),
    [MARK]: base,
    USER: "tester",
    LOGNAME: "tester",
    SHELL: "/bin/sh",
    LANG: "C.UTF-8",
    TZ: "UTC",
    TERM: "xterm-256color",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "Tester",
    GIT_AUTHOR_EMAIL: "tester@example.invalid",
    GIT_COMMITTER_NAME: "Tester",
    GIT_COMMITTER_EMAIL: "tester@example.invalid",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
    DISABLE_AUTOUPDATER: "1",
    BD_DISABLE_METRICS: "1",
  };
}

/** A TCP port of 127.0.0.1 on which no program listens. */
export const freePort = () =>
  new Promise((free) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => free(port));
    });
  });

/** Whether a program listens on the port. */
export const listens = (port) =>
  new Promise((done) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => done(true)).once("error", () => setTimeout(() => done(false), 20));
    socket.once("connect", () => socket.destroy());
  });

/** The running processes that have this sandbox's mark. */
export function running(base) {
  return otherPids().filter((pid) => procFile(pid, "environ").split("\0").includes(`${MARK}=${base}`));
}

/** Whether any process is in `exec`: it has memory but no environment yet, so its mark is still unknown. */
const execInProgress = () =>
  otherPids().some((pid) => procFile(pid, "environ") === "" && !/^(0 |$)/.test(procFile(pid, "statm")));

const otherPids = () => readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid);

/** The content of a process's file in /proc; empty if the process has ended or belongs to another user. */
function procFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}

/** The file name of a process's program, from its command line; empty if the process has ended. */
export const programOf = (pid) => basename(procFile(pid, "cmdline").split("\0")[0]);

/** The terminal of a process's standard output, or null. Standard input can be an opening prompt's pipe. */
export function terminalOf(pid) {
  const from = readlinkSync(`/proc/${pid}/fd/1`);
  return from.startsWith("/dev/pts/") ? from : null;
}

export function kill(pid) {
  try {
    process.kill(Number(pid), "SIGKILL");
  } catch {
    // The process has already ended.
  }
}

/**
 * Ends all processes of a sandbox, including session hosts, which outlive their server by design, and deletes its
 * folder.
 */
export async function cleanUp(base) {
  for (let turn = 0; turn < 100; turn += 1) {
    const pids = running(base);
    if (pids.length === 0 && (turn >= 20 || !execInProgress())) break;
    pids.forEach(kill);
    await new Promise((done) => setTimeout(done, 50));
  }
  rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  bases.delete(base);
}
