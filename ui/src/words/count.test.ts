import { describe, expect, it } from "vitest";
import { grouped, plural, short } from "./count";

const SOURCES = import.meta.glob<string>(["../**/*.ts", "../**/*.svelte", "!../generated/**"], {
  query: "?raw",
  import: "default",
  eager: true,
});

describe("numbers", () => {
  it("have thousands separators only from four digits on", () => {
    expect([grouped(999), grouped(1617), grouped(1_234_567)]).toEqual(["999", "1,617", "1,234,567"]);
    expect([plural(1, "bead"), plural(1617, "bead"), short(1617)]).toEqual(["1 bead", "1,617 beads", "1.6k"]);
  });

  it("share one formatter", () => {
    const others = Object.entries(SOURCES).filter(
      ([path, text]) => !/\/count(\.test)?\.ts$/.test(path) && /\.toLocaleString\(|NumberFormat/.test(text),
    );
    expect(others.map(([path]) => path)).toEqual([]);
  });
});
