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

describe("unified diff", () => {
  const rows = rowsOf(DIFF);

  it("numbers the lines of both sides", () => {
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

  it("splits into hunks with their headings", () => {
    expect(rows.filter(({ kind }) => kind === "hunk")).toEqual([
      { kind: "hunk", text: "@@ -36,4 +36,4 @@", about: "impl Login" },
      { kind: "hunk", text: "@@ -88 +88,2 @@", about: "" },
    ]);
  });

  it("marks the words that differ", () => {
    const gone = rows.find((row) => row.kind === "line" && row.sign === "-");
    expect(gone?.kind === "line" && gone.text.slice(gone.from, gone.to)).toBe("form");
  });

  it("spells out invisible characters and marks a missing final newline", () => {
    expect(rows.at(-2)).toMatchObject({ text: "⟨U+202E⟩new" });
    expect(rows.at(-1)).toEqual({ kind: "note", text: "No newline at end of file" });
  });

  it("is empty for an empty patch", () => {
    expect(rowsOf("")).toEqual([]);
  });
});

describe("side-by-side diff", () => {
  const sides = (diff: string) =>
    pairsOf(rowsOf(diff)).map((row) =>
      row.kind === "pair" ? [row.left?.text ?? null, row.right?.text ?? null] : row.kind,
    );

  it("pairs removed with added lines and leaves gaps for the rest", () => {
    expect(sides("@@ -1,4 +1,3 @@\n a\n-b\n-c\n+B\n d\n+e\n")).toEqual([
      "hunk",
      ["a", "a"],
      ["b", "B"],
      ["c", null],
      ["d", "d"],
      [null, "e"],
    ]);
  });

  it("does not pair a removal with an addition before it", () => {
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

describe("navigation between changes", () => {
  const rows = rowsOf("@@ -1,4 +1,4 @@\n a\n-b\n+B\n c\n+d\n@@ -9 +9 @@\n-x\n");

  it("finds the first line of each change", () => {
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
