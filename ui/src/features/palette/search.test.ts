import { expect, it } from "vitest";
import { best, type Entry } from "./search";

const ENTRIES: Entry[] = ["New bead…", "New session…", "Board", "Keyboard shortcuts", "Rotate signing keys live"].map(
  (title) => ({ key: title, title, more: "" }),
);
const titles = (query: string) => best(ENTRIES, query, 10).map((e) => e.title);

it("beginnings of words count most", () => {
  expect(titles("key")).toEqual(["Keyboard shortcuts", "Rotate signing keys live"]);
  expect(titles("ses")).toEqual(["New session…"]);
});

it("initials find it too, every word has to be there", () => {
  expect(titles("nb")).toEqual(["New bead…"]);
  expect(titles("new ses")).toEqual(["New session…"]);
  expect(titles("new zebra")).toEqual([]);
});

it("without a query the order stays", () => {
  expect(titles(" ")).toHaveLength(ENTRIES.length);
});

it("what is done comes last, however well it fits", () => {
  const beads: Entry[] = [
    { key: "closed", title: "Token rotation", more: "", last: true },
    { key: "open", title: "Rotate the refresh token", more: "" },
  ];
  expect(best(beads, "token", 10).map(({ key }) => key)).toEqual(["open", "closed"]);
});
