import { describe, expect, it } from "vitest";
import { rangesOf } from "./marks";

describe("search highlights", () => {
  const drawn = (html: string) => Object.assign(document.createElement("div"), { innerHTML: html });

  it("mark every match, ignoring case", () => {
    const root = drawn("<p>Constant time, <b>constant TIME</b>.</p><pre>constant\ntime</pre>");
    expect(rangesOf(root, " constant time ").map(String)).toEqual(["Constant time", "constant TIME"]);
  });

  it("are empty without a query, and correct where lower case changes the length", () => {
    expect(rangesOf(drawn("<p>any</p>"), "  ")).toEqual([]);
    expect(rangesOf(drawn("<p>İİ ab</p><p>ab</p>"), "ab").map(String)).toEqual(["ab"]);
  });
});
