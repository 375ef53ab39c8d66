import { describe, expect, it } from "vitest";
import { rangesOf } from "./marks";

describe("marks in what is drawn", () => {
  const drawn = (html: string) => Object.assign(document.createElement("div"), { innerHTML: html });

  it("are at every place of the text, capitals or not", () => {
    const root = drawn("<p>Constant time, <b>constant TIME</b>.</p><pre>constant\ntime</pre>");
    expect(rangesOf(root, " constant time ").map(String)).toEqual(["Constant time", "constant TIME"]);
  });

  it("are none without a text, and right where letters change their length", () => {
    expect(rangesOf(drawn("<p>any</p>"), "  ")).toEqual([]);
    expect(rangesOf(drawn("<p>İİ ab</p><p>ab</p>"), "ab").map(String)).toEqual(["ab"]);
  });
});
