import { describe, expect, it } from "vitest";
import { changeFrom, pairsOf, rowsOf } from "./patch";

const DIFF = `@@ -36,4 +36,4 @@ impl Login
 same
-    let user = find(&form.email);
+    let user = find(&creds.email);
 after
@@ -88 +88,2 @@
 last
+\u202enew
\\ No newline at end of file
`;

describe("a unified diff", () => {
  const rows = rowsOf(DIFF);

  it("has each line's number on its side", () => {
    const numbers = rows.flatMap((row) => (row.kind === "line" ? [[row.sign, row.old, row.new]] : []));
    expect(numbers).toEqual([
      [" ", 36, 36],
      ["-", 37, null],
      ["+", null, 37],
      [" ", 38, 38],
      [" ", 88, 88],
      ["+", null, 89],
    ]);
  });

  it("has its hunks with what they are in", () => {
    expect(rows.filter(({ kind }) => kind === "hunk")).toEqual([
      { kind: "hunk", text: "@@ -36,4 +36,4 @@", about: "impl Login" },
      { kind: "hunk", text: "@@ -88 +88,2 @@", about: "" },
    ]);
  });

  it("marks the words that differ", () => {
    const gone = rows.find((row) => row.kind === "line" && row.sign === "-");
    expect(gone?.kind === "line" && gone.text.slice(gone.from, gone.to)).toBe("form");
  });

  it("spells out what cannot be seen, and says where a newline is missing", () => {
    expect(rows.at(-2)).toMatchObject({ text: "\\u{202e}new" });
    expect(rows.at(-1)).toEqual({ kind: "note", text: "No newline at end of file" });
  });

  it("of nothing is nothing", () => {
    expect(rowsOf("")).toEqual([]);
  });
});

describe("a change side by side", () => {
  const sides = (diff: string) =>
    pairsOf(rowsOf(diff)).map((row) =>
      row.kind === "pair" ? [row.left?.text ?? null, row.right?.text ?? null] : row.kind,
    );

  it("has what went beside what came for it, and room where nothing did", () => {
    expect(sides("@@ -1,4 +1,3 @@\n a\n-b\n-c\n+B\n d\n+e\n")).toEqual([
      "hunk",
      ["a", "a"],
      ["b", "B"],
      ["c", null],
      ["d", "d"],
      [null, "e"],
    ]);
  });

  it("does not put what goes after what came beside it", () => {
    expect(sides("@@ -1 +1 @@\n+a\n-b\n")).toEqual(["hunk", [null, "a"], ["b", null]]);
  });

  it("keeps a note between its lines", () => {
    expect(sides("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n")).toEqual([
      "hunk",
      ["a", null],
      "note",
      [null, "b"],
    ]);
  });
});

describe("from change to change", () => {
  const rows = rowsOf("@@ -1,4 +1,4 @@\n a\n-b\n+B\n c\n+d\n@@ -9 +9 @@\n-x\n");

  it("leads to where each begins", () => {
    expect([changeFrom(rows, -1, 1), changeFrom(rows, 2, 1), changeFrom(rows, 5, 1), changeFrom(rows, 7, 1)]).toEqual([
      2, 5, 7, -1,
    ]);
    expect([
      changeFrom(rows, 7, -1),
      changeFrom(rows, 5, -1),
      changeFrom(rows, 3, -1),
      changeFrom(rows, 2, -1),
    ]).toEqual([5, 2, 2, -1]);
  });
});
