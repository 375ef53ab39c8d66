import { describe, expect, it } from "vitest";
import { countOf, inOrder, neighbour, nextUnviewed, seenOf } from "./files";

const file = (path: string, content: string | null = `of ${path}`) => ({ path, content });
const FILES = [file("README.md"), file("src/a.ts"), file("src/a/deep.ts"), file("src/b.ts"), file("zoo.md")];
const all = new Map(FILES.map(({ path, content }) => [path, content ?? ""]));
const without = (...paths: string[]) => new Map([...all].filter(([path]) => !paths.includes(path)));

describe("changed files", () => {
  it("are grouped by folder", () => {
    expect(inOrder(FILES).map(({ path }) => path)).toEqual([
      "README.md",
      "zoo.md",
      "src/a.ts",
      "src/b.ts",
      "src/a/deep.ts",
    ]);
  });

  it("are viewed, changed since, or not viewed", () => {
    const marks = new Map([
      ["a", "1..2"],
      ["b", "1..2"],
    ]);
    expect(
      [file("a", "1..2"), file("b", "1..3"), file("c", "1..2"), file("b", null)].map((one) => seenOf(one, marks)),
    ).toEqual(["viewed", "changed", "no", "no"]);
  });

  it("count as viewed only where their content is known", () => {
    const marks = new Map([
      ["a", "1"],
      ["b", "old"],
      ["gone", "1"],
    ]);
    expect(countOf([file("a", "1"), file("b", "2"), file("c", "3"), file("d", null)], marks)).toEqual({
      viewed: 1,
      of: 3,
    });
  });

  it("select the next unviewed file, wrapping at the end", () => {
    expect(nextUnviewed(FILES, without("src/b.ts", "README.md"), "zoo.md")?.path).toBe("src/b.ts");
    expect(nextUnviewed(FILES, without("src/b.ts", "README.md"), "src/b.ts")?.path).toBe("README.md");
    expect(nextUnviewed(FILES, without("src/b.ts"), "src/b.ts")).toBeUndefined();
    expect(nextUnviewed(FILES, new Map([...all, ["src/a.ts", "another"]]), "zoo.md")?.path).toBe("src/a.ts");
    expect(nextUnviewed([file("a"), file("b", null)], new Map(), "a")).toBeUndefined();
    expect(nextUnviewed(FILES, new Map(), "not among them")?.path).toBe("README.md");
  });

  it("skip neighbours that do not match, and stop at both ends", () => {
    const will = ({ path }: { path: string }) => path !== "src/a.ts";
    expect(neighbour(FILES, "zoo.md", 1, will)?.path).toBe("src/b.ts");
    expect(neighbour(FILES, "src/b.ts", -1, will)?.path).toBe("zoo.md");
    expect(neighbour(FILES, "src/a/deep.ts", 1, will)).toBeUndefined();
    expect(neighbour(FILES, "README.md", -1, will)).toBeUndefined();
  });
});
