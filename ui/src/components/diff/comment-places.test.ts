import { describe, expect, it } from "vitest";
import type { ReviewComment } from "../../words/review-comments";
import { rowsOf, type PatchLine } from "./patch";
import { placed } from "./comment-places";

const remark = (line: number, code: string): ReviewComment => ({ path: "a", line, side: "new", code, text: "?" });

function lineOf(remarks: ReviewComment[], diff: string): (number | null)[] {
  const lines = rowsOf(diff).filter((row): row is PatchLine => row.kind === "line");
  const { at } = placed("a", remarks, lines);
  return remarks.map((one) => [...at].find(([, here]) => here.includes(one))?.[0].new ?? null);
}

describe("comments after the change moved on", () => {
  it("follow their line", () => {
    expect(lineOf([remark(2, "let x = 1;")], "@@ -1,2 +1,2 @@\n a\n+let x = 1;\n")).toEqual([2]);
    expect(lineOf([remark(2, "let x = 1;")], "@@ -1,2 +1,3 @@\n a\n+before\n+let x = 1;\n")).toEqual([3]);
  });

  it("go to the nearest of equal lines", () => {
    const diff = "@@ -1,1 +1,5 @@\n+return;\n+a\n+b\n+c\n+return;\n";
    expect(lineOf([remark(4, "return;"), remark(1, "return;")], diff)).toEqual([5, 1]);
  });

  it("are not put on another line when theirs is gone", () => {
    const diff = "@@ -1,1 +1,2 @@\n+}\n+other\n";
    const lines = rowsOf(diff).filter((row): row is PatchLine => row.kind === "line");
    const gone = [remark(2, "let x = 1;"), remark(2, "}")];
    expect(placed("a", gone, lines).lost).toEqual(gone);
  });
});
