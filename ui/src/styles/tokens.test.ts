/// <reference types="node" />
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const SOURCES = import.meta.glob<string>("../**/*.{svelte,ts}", { query: "?raw", import: "default", eager: true });
/** Defined by the library of menus and lists. */
const FOREIGN = /^--bits-/;

it("every custom property that a style uses is defined", () => {
  const styles = ["tokens.css", "base.css"].map((name) => readFileSync(`src/styles/${name}`, "utf8"));
  const texts = [...Object.values(SOURCES), ...styles];
  expect(texts.length).toBeGreaterThan(300);
  const found = (pattern: RegExp) => texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
  const defined = new Set(found(/(--[\w-]+)["']?\s*[:=,]/g));
  // A name that ends with `-` or is followed by `{` or `$` is completed at run time.
  const used = found(/var\((--[\w-]+)[,)]/g).filter((name) => !FOREIGN.test(name));
  expect([...new Set(used)].filter((name) => !defined.has(name))).toEqual([]);
});
