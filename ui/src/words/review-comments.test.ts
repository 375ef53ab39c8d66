import { describe, expect, it } from "vitest";
import { isAt, spotOf, textOf, type ReviewComment } from "./review-comments";

const remark = (path: string, line: number, text: string, side: ReviewComment["side"] = "new"): ReviewComment => ({
  path,
  line,
  side,
  code: "    let a = 1;",
  text,
});

describe("review comments", () => {
  it("become one text by file and line, general comments first", () => {
    const text = textOf(
      " Nearly there. ",
      [remark("b.rs", 9, "Why?"), remark("a.rs", 4, "Gone for good?", "old"), remark("b.rs", 2, "Rename it.\n")],
      ["a.rs", "b.rs"],
    );
    expect(text).toBe(
      "Nearly there.\n\n" +
        "`a.rs`, line 4 before the change:\n" +
        "> let a = 1;\n\n" +
        "Gone for good?\n\n" +
        "`b.rs`, line 2:\n" +
        "> let a = 1;\n\n" +
        "Rename it.\n\n" +
        "`b.rs`, line 9:\n" +
        "> let a = 1;\n\n" +
        "Why?",
    );
  });

  it("omit empty comments", () => {
    expect(textOf("", [], [])).toBe("");
    expect(textOf("Split it.", [], [])).toBe("Split it.");
  });

  it("keep their line when the diff is reloaded", () => {
    expect(spotOf("a.rs", { old: 3, new: 4 })).toEqual({ path: "a.rs", line: 4, side: "new" });
    expect(spotOf("a.rs", { old: 4, new: null })).toEqual({ path: "a.rs", line: 4, side: "old" });
    for (const line of [
      { old: 3, new: 4 },
      { old: 4, new: null },
      { old: null, new: 4 },
    ])
      expect(isAt(spotOf("a.rs", line), "a.rs", { ...line })).toBe(true);
  });

  it("belong to a line on their side", () => {
    expect(isAt(remark("a.rs", 4, "x"), "a.rs", { old: 3, new: 4 })).toBe(true);
    expect(isAt(remark("a.rs", 4, "x"), "a.rs", { old: 4, new: null })).toBe(false);
    expect(isAt(remark("a.rs", 4, "x", "old"), "a.rs", { old: 4, new: null })).toBe(true);
    expect(isAt(remark("a.rs", 4, "x", "old"), "a.rs", { old: 4, new: 5 })).toBe(false);
  });
});
