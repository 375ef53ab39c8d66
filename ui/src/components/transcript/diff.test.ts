import { describe, expect, it } from "vitest";
import { countsOf, diffOf } from "./diff";

const check = (before: string, after: string, expected: string[]) =>
  expect(
    diffOf(before, after).map(
      ({ sign, text, from, to }) =>
        `${sign}${from === undefined ? text : `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`}`,
    ),
  ).toEqual(expected);

describe("diff", () => {
  it("keeps common lines", () => check("a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]));
  it("of a new text is all additions", () => check("", "a\nb\n", ["+a", "+b"]));
  it("of equal texts is empty", () => check("a\n", "a\n", [" a"]));
  it("finds lines that moved apart", () => check("a\nb\nc\nd", "a\n1\nc\n2\nd", [" a", "-b", "+1", " c", "+2", " d"]));
  it("marks the words that differ in a line", () =>
    check("let a = find(&form.email);", "let a = find(&creds.email);", [
      "-let a = find(&[form].email);",
      "+let a = find(&[creds].email);",
    ]));
  it("counts added and removed lines", () =>
    expect(countsOf(diffOf("a\nb", "a\nc\nd"))).toEqual({ added: 2, removed: 1 }));
  it("of large texts with nothing in common is fast and complete", () => {
    const [before, after] = [
      Array.from({ length: 5000 }, (_, i) => `a${i}`),
      Array.from({ length: 5000 }, (_, i) => `b${i}`),
    ].map((l) => l.join("\n"));
    expect(countsOf(diffOf(before ?? "", after ?? ""))).toEqual({ added: 5000, removed: 5000 });
  });
});
