import { describe, expect, it } from "vitest";
import { expanded, part } from "./expand";
import { rowsOf } from "./patch";

const DIFF = "@@ -4,3 +4,4 @@ fn\n a\n-b\n+B\n+C\n d\n@@ -20,2 +21,2 @@\n x\n-y\n+Y\n";

/** Describes each row in one line: a line with its numbers and text, or a head with its hidden lines. */
function rowTexts(known: Record<number, string>, total: number | null): string[] {
  const lines = new Map(Object.entries(known).map(([n, text]): [number, string] => [Number(n), text]));
  return expanded(rowsOf(DIFF), lines, total).map((row) => {
    if (row.kind === "line") return `${row.sign}${row.old ?? ""}:${row.new ?? ""} ${row.text}`;
    if (row.kind === "hunk") return `hunk ${row.n} hides ${row.gap ? `${row.gap.from}-${row.gap.to}` : "nothing"}`;
    return row.kind === "end" ? `end from ${row.gap.from} to ${row.gap.to}` : row.kind;
  });
}

describe("lines around hunks", () => {
  it("are hidden until they are loaded", () => {
    expect(rowTexts({}, null)).toEqual([
      "hunk 0 hides 1-3",
      " 4:4 a",
      "-5: b",
      "+:5 B",
      "+:6 C",
      " 6:7 d",
      "hunk 1 hides 8-20",
      " 20:21 x",
      "-21: y",
      "+:22 Y",
      "end from 23 to null",
    ]);
  });

  it("have the numbers of both versions, above and below a hunk", () => {
    const shown = rowTexts({ 3: "three", 8: "eight", 20: "twenty", 23: "last" }, 23);
    expect(shown.slice(0, 2)).toEqual(["hunk 0 hides 1-2", " 3:3 three"]);
    expect(shown.slice(6, 10)).toEqual([" 6:7 d", " 7:8 eight", "hunk 1 hides 9-19", " 19:20 twenty"]);
    expect(shown.at(-1)).toBe(" 22:23 last");
  });

  it("are loaded in steps, or all at once if they are few", () => {
    expect(part({ from: 8, to: 20 }, true)).toEqual({ from: 8, to: 20 });
    expect(part({ from: 1, to: 100 }, true)).toEqual({ from: 81, to: 100 });
    expect(part({ from: 1, to: 100 }, false)).toEqual({ from: 1, to: 20 });
    expect(part({ from: 23, to: null }, false)).toEqual({ from: 23, to: 42 });
  });
});
