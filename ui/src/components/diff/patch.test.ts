import { describe, expect, it } from "vitest";
import { rowsOf } from "./patch";

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
    expect(numbers).toEqual([[" ", 36, 36], ["-", 37, null], ["+", null, 37], [" ", 38, 38], [" ", 88, 88], ["+", null, 89]]);
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
    expect(rows.at(-1)).toEqual({ kind: "note", text: "No newline at the end of the file" });
  });

  it("of nothing is nothing", () => {
    expect(rowsOf("")).toEqual([]);
  });
});
