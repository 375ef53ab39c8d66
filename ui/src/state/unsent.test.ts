import { describe, expect, it } from "vitest";
import type { ReviewComment } from "../words/review-comments";
import { Unsent } from "./unsent";

const remark = (line: number, text: string): ReviewComment => ({
  path: "a.rs",
  line,
  side: "new",
  code: "let a = 1;",
  text,
});

describe("unsent comments", () => {
  it("are kept per diff", () => {
    const unsent = new Unsent();
    const [mine, other] = [remark(1, "Why?"), remark(1, "Good.")];
    unsent.remark("s1", [mine]);
    unsent.remark("s2", [other]);
    unsent.sent("s1", [mine]);
    expect([unsent.remarks("s1"), unsent.remarks("s2")]).toEqual([[], [other]]);
  });

  it("stay if they were written or changed while the others were being sent", () => {
    const unsent = new Unsent();
    const before = [remark(1, "Why?"), remark(2, "And this?")];
    unsent.remark("BC-1", before);
    unsent.say("BC-1", "Nearly there.");
    const after = [remark(2, "And this one?"), remark(3, "Rename it.")];
    unsent.remark("BC-1", [...before.slice(0, 1), ...after]);
    unsent.sent("BC-1", before, "Nearly there.");
    expect([unsent.remarks("BC-1"), unsent.said("BC-1")]).toEqual([after, ""]);
    unsent.say("BC-1", "Once more, please.");
    unsent.sent("BC-1", after, "Once more");
    expect([unsent.remarks("BC-1"), unsent.said("BC-1")]).toEqual([[], "Once more, please."]);
  });
});
