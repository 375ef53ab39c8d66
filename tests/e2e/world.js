// What the journeys of a process share: one browser, one `bd init`, and the care that nothing outlives them.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

export const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
/** Where the programs under test are. */
export const programs = process.env.BC_TEST_PROGRAMS ?? join(here, "..", "..", "target", "debug");
export const CHROMIUM = process.env.BC_TEST_CHROMIUM ?? "/usr/bin/chromium";
/** Every process of a sandbox has it in its environment, so that none outlives it. */
const MARK = "BC_JOURNEY";

let template;
let browser;

/** `bd init` takes many seconds: done once, copied for each journey. */
export function tracked() {
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

/** The one browser of a process; a context is made for each journey. */
export function chrome() {
  browser ??= chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
      // The terminal is then drawn as text in the page, which is also how it must work where there is no WebGL.
      "--disable-3d-apis",
    ],
  });
  return browser;
}

/** Of every sandbox that is there now, so that none is left behind when the run itself is ended. */
const bases = new Set();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    bases.forEach((base) => running(base).forEach(end));
    bases.forEach((base) => rmSync(base, { recursive: true, force: true }));
    process.exit(1);
  });
}

after(async () => {
  await (await browser)?.close();
  const base = await template?.catch(() => null);
  if (base) await clear(base);
});

/** Short, because paths of sockets are limited to some 100 bytes; resolved, because programs report resolved paths. */
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

/** What was started with this sandbox's mark and still runs. */
export function running(base) {
  return others().filter((pid) => of(pid, "environ").split("\0").includes(`${MARK}=${base}`));
}

/** Something is just becoming another program: it has memory, but shows no environment yet, maybe a marked one. */
const becoming = () => others().some((pid) => of(pid, "environ") === "" && !/^(0 |$)/.test(of(pid, "statm")));

const others = () => readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid);

/** What the system tells of a process; nothing where it has ended meanwhile, or is somebody else's. */
function of(pid, what) {
  try {
    return readFileSync(`/proc/${pid}/${what}`, "latin1");
  } catch {
    return "";
  }
}

/** The name that a process was started under. */
export const programOf = (pid) => basename(readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0")[0]);

/** The terminal that a process writes to; null where it is none. Its input may be the pipe of an opening prompt. */
export function terminalOf(pid) {
  const from = readlinkSync(`/proc/${pid}/fd/1`);
  return from.startsWith("/dev/pts/") ? from : null;
}

function end(pid) {
  try {
    process.kill(Number(pid), "SIGKILL");
  } catch {
    // ended meanwhile
  }
}

/** Ends all of a sandbox, hosts of sessions too, which outlive their server on purpose, and deletes its folder. */
export async function clear(base) {
  for (let turn = 0; turn < 100; turn += 1) {
    const pids = running(base);
    if (pids.length === 0 && (turn >= 20 || !becoming())) break;
    pids.forEach(end);
    await new Promise((done) => setTimeout(done, 50));
  }
  rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  bases.delete(base);
}
