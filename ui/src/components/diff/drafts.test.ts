import { describe, expect, it } from "vitest";
import { Drafts } from "./drafts.svelte";
import { rowsOf, type PatchLine } from "./patch";

const DIFF = "@@ -1,2 +1,3 @@\n one\n-two\n+zwei\n+drei\n";
const lines = (diff = DIFF) => rowsOf(diff).filter((row): row is PatchLine => row.kind === "line");
const line = (n: number, diff = DIFF): PatchLine => {
  const found = lines(diff)[n];
  if (!found) throw new Error(`line ${n} is there`);
  return found;
};

describe("comment draft", () => {
  it("survives a reload of the diff, even if its line moved", () => {
    const drafts = new Drafts();
    drafts.begin("a.rs", line(2));
    drafts.write("a.rs", line(2), "Half a");
    const again = "@@ -1,2 +1,3 @@\n one\n+zwei\n+drei\n";
    expect(drafts.at("a.rs", line(1, again))).toBe("Half a");
    expect(lines().map((one) => drafts.at("a.rs", one))).toEqual([null, null, "Half a", null]);
    expect(drafts.at("b.rs", line(2))).toBeNull();
  });

  it("is replaced by a new draft only while it is empty", () => {
    const drafts = new Drafts();
    drafts.begin("a.rs", line(1));
    drafts.begin("a.rs", line(2));
    drafts.write("a.rs", line(2), "Why?");
    drafts.begin("a.rs", line(2));
    drafts.begin("a.rs", line(3));
    expect(lines().map((one) => drafts.at("a.rs", one))).toEqual([null, null, "Why?", ""]);
    drafts.write("a.rs", line(2), null);
    expect(lines().map((one) => drafts.at("a.rs", one))).toEqual([null, null, null, ""]);
  });
});
