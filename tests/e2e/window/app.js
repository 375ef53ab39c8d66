// The desktop window of a sandbox. It can be closed or ended, and opened again.

import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programs } from "../sandbox.js";
import { Driver, DriverProgram } from "./driver.js";
import { Locator } from "./locator.js";

const PROGRAM = join(programs, "beads-console-desktop");
const DRIVER = process.env.BC_TEST_TAURI_DRIVER;

/** The reason why no window can run on this machine, or null. */
export function noWindow() {
  if (!existsSync(PROGRAM)) return `${PROGRAM} is not built`;
  if (!DRIVER || !existsSync(DRIVER)) return "BC_TEST_TAURI_DRIVER does not name tauri-driver";
  if (!existsSync("/usr/bin/WebKitWebDriver")) return "WebKitWebDriver is missing (install Debian's package webkit2gtk-driver)";
  return process.env.DISPLAY ? null : "DISPLAY is not set";
}

export class Desktop extends Locator {
  #sandbox;
  #program;
  #driver;

  /** Opens the window for a sandbox's project and waits for the board. */
  static async open(sandbox) {
    const { DISPLAY, XAUTHORITY } = process.env;
    const env = { ...sandbox.env, DISPLAY, ...(XAUTHORITY ? { XAUTHORITY } : {}) };
    // Each window has its own driver, because the webview's driver does not always survive the end of its window.
    const program = await DriverProgram.start(DRIVER, env);
    const driver = await Driver.open(program, PROGRAM, ["--project", sandbox.project]);
    const desktop = new Desktop(driver);
    desktop.#sandbox = sandbox;
    desktop.#program = program;
    desktop.#driver = driver;
    sandbox.pages.push(desktop);
    await desktop.role("tab", "Board").waitVisible();
    return desktop;
  }

  get driver() {
    return this.#driver;
  }

  /** The process ID of the window. Throws unless there is exactly one such process. */
  pid() {
    const ours = readdirSync("/proc").filter((pid) => {
      try {
        const [program] = readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
        return program === PROGRAM && readFileSync(`/proc/${pid}/environ`, "latin1").includes(this.#sandbox.base);
      } catch {
        return false; // This is not a process, or it has just ended.
      }
    });
    // While the window starts a child, the child has the window's name for a moment.
    const [first, ...others] = ours.filter((pid) => !ours.includes(parent(pid)));
    if (first === undefined || others.length > 0) throw new Error(`the window has ${ours.length} processes`);
    return Number(first);
  }

  /** Ends the program as a session manager does, and opens the window again. */
  async terminateAndReopen() {
    const pid = this.pid();
    process.kill(pid, "SIGTERM");
    await waitForExit(pid);
    await this.#driver.end();
    return this.#reopen();
  }

  /** Closes the window and opens it again. */
  async closeAndReopen() {
    const pid = this.pid();
    await this.#driver.closeWindow();
    await waitForExit(pid);
    return this.#reopen();
  }

  #reopen() {
    const { pages } = this.#sandbox;
    pages.splice(pages.indexOf(this), 1);
    return Desktop.open(this.#sandbox);
  }

  /** Saves a screenshot and the page's HTML. Returns the output of the driver and the window. */
  async saveState(file) {
    const picture = await this.#driver.picture().catch(() => null);
    if (picture) writeFileSync(`${file}.png`, picture);
    writeFileSync(`${file}.html`, await this.#driver.run(() => document.documentElement.outerHTML).catch(() => ""));
    return this.#program.log;
  }
}

/** The process ID of the parent, as text. */
function parent(pid) {
  try {
    // The name can contain spaces and brackets. After it come the state and the parent.
    return readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1).split(" ")[1];
  } catch {
    return ""; // The process has just ended.
  }
}

async function waitForExit(pid) {
  for (const until = Date.now() + 20_000; existsSync(`/proc/${pid}`); await new Promise((next) => setTimeout(next, 50))) {
    if (Date.now() > until) throw new Error("the window's process does not end");
  }
}
