import { describe, expect, it } from "vitest";
import { piecesOf } from "./pieces";

describe("line pieces", () => {
  it("are split at colour and difference boundaries", () => {
    const tokens = [
      { text: "let", kind: "keyword" },
      { text: " user = ", kind: "foreground" },
      { text: "find", kind: "function" },
    ];
    const pieces = piecesOf({ text: "let user = find", from: 4, to: 13 }, tokens);
    expect(pieces).toEqual([
      { text: "let", kind: "keyword", mark: false },
      { text: " ", kind: "foreground", mark: false },
      { text: "user = ", kind: "foreground", mark: true },
      { text: "fi", kind: "function", mark: true },
      { text: "nd", kind: "function", mark: false },
    ]);
    expect(pieces.map(({ text }) => text).join("")).toBe("let user = find");
  });

  it("have no colours if these belong to another text", () => {
    expect(piecesOf({ text: "abc" }, [{ text: "ab", kind: "keyword" }])).toEqual([
      { text: "abc", kind: null, mark: false },
    ]);
    expect(piecesOf({ text: "abc", from: 1, to: 2 }).map(({ text, mark }) => [text, mark])).toEqual([
      ["a", false],
      ["b", true],
      ["c", false],
    ]);
  });

  it("are empty for an empty line", () => {
    expect(piecesOf({ text: "" }, [])).toEqual([]);
  });
});
