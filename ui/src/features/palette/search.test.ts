import { expect, it } from "vitest";
import { best, type Entry } from "./search";

const ENTRIES: Entry[] = ["New bead…", "New session…", "Board", "Keys and help", "Rotate signing keys live"].map((title) => ({ key: title, title, more: "" }));
const titles = (query: string) => best(ENTRIES, query, 10).map((e) => e.title);

it("beginnings of words count most", () => {
  expect(titles("keys")).toEqual(["Keys and help", "Rotate signing keys live"]);
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
