import { describe, expect, it } from "vitest";
import { choicesFor, put, tokenAt } from "./completion";

const known = {
  commands: [
    { name: "fix", about: "Fix an issue", origin: "project" as const },
    { name: "compact", about: "Free up context", origin: "claude" as const },
    { name: "context", about: "What fills it", origin: "claude" as const },
  ],
  files: ["README.md", "src/auth/login.rs", "src/auth/mod.rs", "tests/login.rs"],
  more_files: 0,
};
const choices = (text: string) =>
  choicesFor(tokenAt(text, text.length) ?? { kind: "file", query: "~", from: 0, to: 0 }, known).map((c) => c.text);

describe("completion", () => {
  it("offers commands only at the beginning", () => {
    expect(tokenAt("/com", 4)).toEqual({ kind: "command", query: "com", from: 0, to: 4 });
    expect(tokenAt("/compact now", 12)).toBeNull();
    expect(tokenAt("see /com", 8)).toBeNull();
    expect(choices("/")).toEqual(["/fix", "/compact", "/context"]);
    expect(choices("/cmp")).toEqual(["/compact"]);
    expect(choices("/tmp/file")).toEqual([]);
  });

  it("offers files after an @ at the start of a word", () => {
    expect(tokenAt("see @src/l and", 10)).toEqual({ kind: "file", query: "src/l", from: 4, to: 10 });
    expect(tokenAt("me@example.org", 14)).toBeNull();
    expect(choices("@authlogin")).toEqual(["@src/auth/login.rs"]);
    expect(choices("read @").length).toBe(4);
  });

  it("inserts at the caret", () => {
    const text = "see @log and go";
    const token = tokenAt(text, 8);
    expect(token && put(text, token, { text: "@tests/login.rs", about: "" })).toEqual({
      text: "see @tests/login.rs and go",
      caret: 20,
    });
    const end = tokenAt("/co", 3);
    expect(end && put("/co", end, { text: "/compact", about: "" })).toEqual({ text: "/compact ", caret: 9 });
  });
});
