import { describe, expect, it } from "vitest";
import type { ReviewComment } from "../../words/review-comments";
import { rowsOf, type PatchLine } from "./patch";
import { placed } from "./comment-places";

const comment = (line: number, code: string): ReviewComment => ({ path: "a", line, side: "new", code, text: "?" });

function lineOf(comments: ReviewComment[], diff: string): (number | null)[] {
  const lines = rowsOf(diff).filter((row): row is PatchLine => row.kind === "line");
  const { at } = placed("a", comments, lines);
  return comments.map((one) => [...at].find(([, here]) => here.includes(one))?.[0].new ?? null);
}

describe("comments after a change of the diff", () => {
  it("follow their line", () => {
    expect(lineOf([comment(2, "let x = 1;")], "@@ -1,2 +1,2 @@\n a\n+let x = 1;\n")).toEqual([2]);
    expect(lineOf([comment(2, "let x = 1;")], "@@ -1,2 +1,3 @@\n a\n+before\n+let x = 1;\n")).toEqual([3]);
  });

  it("go to the nearest of equal lines", () => {
    const diff = "@@ -1,1 +1,5 @@\n+return;\n+a\n+b\n+c\n+return;\n";
    expect(lineOf([comment(4, "return;"), comment(1, "return;")], diff)).toEqual([5, 1]);
  });

  it("are not put on another line if their own is gone", () => {
    const diff = "@@ -1,1 +1,2 @@\n+}\n+other\n";
    const lines = rowsOf(diff).filter((row): row is PatchLine => row.kind === "line");
    const gone = [comment(2, "let x = 1;"), comment(2, "}")];
    expect(placed("a", gone, lines).lost).toEqual(gone);
  });
});
