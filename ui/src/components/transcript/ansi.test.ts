import { describe, expect, it } from "vitest";
import { piecesOf } from "./ansi";

const ESC = "\u001b";
const plain = (output: string) =>
  piecesOf(output)
    .map(({ text }) => text)
    .join("");

describe("terminal output", () => {
  it("keeps colours and emphasis as classes", () => {
    expect(piecesOf(`${ESC}[1;32mok${ESC}[0m 3 ${ESC}[91mfailed${ESC}[39m`)).toEqual([
      { text: "ok", classes: "ansi-green ansi-bold" },
      { text: " 3 ", classes: "" },
      { text: "failed", classes: "ansi-red" },
    ]);
  });

  it("removes other escapes and shows the last state of a line", () => {
    expect(plain(`${ESC}]0;title\u0007a${ESC}[2K${ESC}[1Gb`)).toBe("ab");
    expect(plain("10%\r50%\r100%\ndone\r\n")).toBe("100%\ndone\n");
    expect(plain(`${ESC}[38;5;208morange${ESC}[0m`)).toBe("orange");
  });

  it("shows invisible characters, also between colours", () => {
    expect(plain(`${ESC}[31mrm \u202e${ESC}[0m\u200b`)).toBe("rm ⟨U+202E⟩⟨U+200B⟩");
  });

  it("never loses text to an unfinished escape", () => {
    expect(plain(`before ${ESC}[31`)).toContain("before ");
  });
});
