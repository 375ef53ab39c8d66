// The W3C WebDriver commands that the window journeys need, and the two programs behind them: tauri-driver, and the
// webview's own driver, which starts the program under test.

import { spawn } from "node:child_process";
import { createServer } from "node:net";

/** The protocol's key for a reference to an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
/** Key names and their codes in the protocol. */
export const KEYS = { Backspace: "\uE003", Enter: "\uE007", Shift: "\uE008", Control: "\uE009", Escape: "\uE00C" };
/** The time limit for the start of tauri-driver, in milliseconds. */
const START_TIMEOUT = 20_000;

/** An error of the driver: its code, such as `stale element reference`, and its message. */
export class DriverError extends Error {
  constructor({ error, message }) {
    super(`${error}: ${message}`);
    this.code = error;
  }
}

/** Finds this number of different free ports. */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => new Promise((ready) => server.once("listening", ready))));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

/** A running tauri-driver; the programs that it starts inherit its environment. */
export class DriverProgram {
  #log = "";

  static async start(program, env) {
    const driver = new DriverProgram();
    const [port, native] = await freePorts(2);
    const args = ["--port", String(port), "--native-port", String(native), "--native-driver", "/usr/bin/WebKitWebDriver"];
    driver.url = `http://127.0.0.1:${port}`;
    driver.process = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    driver.process.stdout.on("data", (bytes) => (driver.#log += bytes));
    driver.process.stderr.on("data", (bytes) => (driver.#log += bytes));
    for (const until = Date.now() + START_TIMEOUT; ; await new Promise((next) => setTimeout(next, 50))) {
      const ready = await fetch(`${driver.url}/status`).catch(() => null);
      if (ready?.ok) return driver;
      if (driver.process.exitCode !== null || Date.now() > until) {
        throw new Error(`tauri-driver does not answer (${driver.process.exitCode}):\n${driver.#log}`);
      }
    }
  }

  /** The output of the driver and of the programs that it started. */
  get log() {
    return this.#log;
  }
}

/** A window that a driver controls. */
export class Driver {
  #session;

  /** Starts a program and connects to its window. */
  static async open({ url }, application, args) {
    const driver = new Driver();
    const wanted = { "tauri:options": { application, args } };
    const { sessionId } = await call("POST", `${url}/session`, { capabilities: { alwaysMatch: wanted } });
    driver.#session = `${url}/session/${sessionId}`;
    return driver;
  }

  #ask(method, path, body) {
    return call(method, `${this.#session}/${path}`, body);
  }

  /** Calls a function in the page; elements are passed and returned as references. */
  run(script, ...args) {
    const source = `return (${script}).apply(null, arguments)`;
    return this.#ask("POST", "execute/sync", { script: source, args });
  }

  /** Runs source text in the page. */
  load(source) {
    return this.#ask("POST", "execute/sync", { script: `${source}\nreturn null;`, args: [] });
  }

  /** Scrolls to the element and clicks it. */
  click(element) {
    return this.#ask("POST", `element/${element[ELEMENT]}/click`, {});
  }

  /** Presses these keys one after the other in the focused element, and then releases them. */
  keys(...keys) {
    const down = keys.map((value) => ({ type: "keyDown", value }));
    const up = keys.map((value) => ({ type: "keyUp", value })).reverse();
    return this.#act({ type: "key", id: "keyboard", actions: [...down, ...up] });
  }

  /** Types a text into the focused element. */
  type(text) {
    const press = (value) => [{ type: "keyDown", value }, { type: "keyUp", value }];
    return this.#act({ type: "key", id: "keyboard", actions: [...text].flatMap(press) });
  }

  /** Drags the mouse from the first point of the page to the last, while a key is held. */
  async drag(key, ...points) {
    const [first, ...rest] = points.map(([x, y]) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 0 }));
    const actions = [first, { type: "pause" }, { type: "pointerDown", button: 0 }, ...rest, { type: "pointerUp", button: 0 }];
    const pauses = actions.slice(1).map(() => ({ type: "pause" }));
    const held = [{ type: "keyDown", value: key }, ...pauses, { type: "keyUp", value: key }];
    await this.#act({ type: "key", id: "keyboard", actions: held }, { type: "pointer", id: "mouse", actions });
  }

  #act(...sources) {
    return this.#ask("POST", "actions", { actions: sources });
  }

  /** The window's position and size on the display; with `wanted`, sets them first. */
  windowRect(wanted) {
    return wanted ? this.#ask("POST", "window/rect", wanted) : this.#ask("GET", "window/rect");
  }

  /** A screenshot, as bytes of a PNG. */
  async picture() {
    return Buffer.from(await this.#ask("GET", "screenshot"), "base64");
  }

  /** Closes the window, as its close button does. */
  async closeWindow() {
    await this.#ask("DELETE", "window").catch(ignoreGone);
    await this.end();
  }

  /** Ends the driver's session, so that the next one can start. A program that has already ended is not an error. */
  end() {
    return call("DELETE", this.#session).catch(ignoreGone);
  }
}

function ignoreGone(error) {
  if (!(error instanceof DriverError)) throw error;
}

async function call(method, url, body) {
  const response = await fetch(url, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { value } = await response.json();
  if (!response.ok) throw new DriverError(value);
  return value;
}
