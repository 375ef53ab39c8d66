import { expect, it } from "vitest";
import { best, type Entry } from "./search";

const ENTRIES: Entry[] = ["New bead…", "New session…", "Board", "Keyboard shortcuts", "Rotate signing keys live"].map(
  (title) => ({ key: title, title, more: "" }),
);
const titles = (query: string) => best(ENTRIES, query, 10).map((e) => e.title);

it("prefixes of words rank first", () => {
  expect(titles("key")).toEqual(["Keyboard shortcuts", "Rotate signing keys live"]);
  expect(titles("ses")).toEqual(["New session…"]);
});

it("initials match, and every word must match", () => {
  expect(titles("nb")).toEqual(["New bead…"]);
  expect(titles("new ses")).toEqual(["New session…"]);
  expect(titles("new zebra")).toEqual([]);
});

it("without a query the order stays", () => {
  expect(titles(" ")).toHaveLength(ENTRIES.length);
});

it("closed entries rank last", () => {
  const beads: Entry[] = [
    { key: "closed", title: "Token rotation", more: "", last: true },
    { key: "open", title: "Rotate the refresh token", more: "" },
  ];
  expect(best(beads, "token", 10).map(({ key }) => key)).toEqual(["open", "closed"]);
});
