// Finds elements in the window's page as a user or a screen reader would: by role and name, or by text. axe-core,
// which is loaded into the page, computes names and roles.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { TIMEOUT } from "../sandbox.js";
import { DriverError, KEYS } from "./driver.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PAUSE = 60;

/** Runs in the page: returns the visible elements that match a path of steps; null if axe is not loaded. */
function locate(steps) {
  const { axe } = globalThis;
  if (!axe) return null;
  const fits = (text, { is, like, flags }) => (like === undefined ? text === is : new RegExp(like, flags).test(text));
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false });
  const plain = (element) => element.textContent.replace(/\s+/g, " ").trim();
  axe.setup(document);
  try {
    let from = [document.body];
    for (const { css, role, name, text } of steps) {
      const inside = [...new Set(from.flatMap((element) => [...element.querySelectorAll(css ?? "*")]))].filter(shown);
      if (role !== undefined) {
        from = inside.filter(
          (element) =>
            axe.commons.aria.getRole(element) === role &&
            axe.commons.dom.isVisibleToScreenReaders(element) &&
            (name === undefined || fits(axe.commons.text.accessibleText(element), name)),
        );
      } else if (text !== undefined) {
        const all = inside.filter((element) => fits(plain(element), text));
        // Only the innermost elements, since their ancestors have the same text.
        from = all.filter((element) => !all.some((other) => other !== element && element.contains(other)));
      } else {
        from = inside;
      }
    }
    return from;
  } finally {
    axe.teardown();
  }
}

const matcher = (wanted) =>
  wanted instanceof RegExp ? { like: wanted.source, flags: wanted.flags } : wanted === undefined ? undefined : { is: wanted };

/** Describes elements in the page; each use searches for them again. */
export class Locator {
  #driver;
  #steps;

  constructor(driver, steps = []) {
    this.#driver = driver;
    this.#steps = steps;
  }

  #inside(step) {
    return new Locator(this.#driver, [...this.#steps, step]);
  }

  role(role, name) {
    return this.#inside({ role, name: matcher(name) });
  }

  text(text) {
    return this.#inside({ text: matcher(text) });
  }

  css(css) {
    return this.#inside({ css });
  }

  async all() {
    const found = await this.#driver.run(locate, this.#steps);
    if (found) return found;
    await this.#driver.load(axe);
    return this.#driver.run(locate, this.#steps);
  }

  /** Searches for the elements and retries until the attempt returns a value. Throws after `TIMEOUT`. */
  async #retry(what, attempt) {
    for (const deadline = Date.now() + TIMEOUT; ; await new Promise((next) => setTimeout(next, PAUSE))) {
      try {
        const done = await attempt(await this.all());
        if (done !== undefined) return done;
      } catch (error) {
        if (!(error instanceof DriverError)) throw error;
        if (Date.now() > deadline) throw error;
      }
      if (Date.now() > deadline) throw new Error(`${this} ${what}`);
    }
  }

  /** Waits until an element is visible. */
  waitVisible() {
    return this.#retry("is not visible", ([first]) => first);
  }

  /** Waits until no element is visible. */
  async waitGone() {
    await this.#retry("is still visible", (found) => (found.length === 0 ? true : undefined));
  }

  async click() {
    await this.#retry("cannot be clicked", async ([first]) => {
      if (!first || (await this.#driver.run((element) => element.matches(":disabled, [aria-disabled=true]"), first))) return undefined;
      await this.#driver.click(first);
      return true;
    });
  }

  /** Replaces the content of a field with keys, because the page does not notice when the driver clears a field. */
  async fill(text) {
    await this.click();
    await this.#driver.keys(KEYS.Control, "a");
    await this.#driver.keys(KEYS.Backspace);
    await this.#driver.type(text);
  }

  async property(name) {
    return this.#driver.run((element, property) => element[property], await this.waitVisible(), name);
  }

  toString() {
    const pattern = ({ is, like }) => is ?? `/${like}/`;
    const step = ({ css, role, name, text }) =>
      css ?? (role ? `${role}${name ? ` “${pattern(name)}”` : ""}` : `“${pattern(text)}”`);
    return this.#steps.map(step).join(" › ");
  }
}
