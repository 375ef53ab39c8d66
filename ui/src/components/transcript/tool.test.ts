import { describe, expect, it } from "vitest";
import type { ToolCall } from "../../generated/api";
import { within } from "./folder";
import { aboutOf, groupsOf } from "./tool";

const read = (path: string): ToolCall => ({ tool: "Read", input: { file_path: path }, output: "x" });
const about = (calls: ToolCall[], folder: string) => groupsOf(calls).map((group) => aboutOf(group, folder));

describe("tool line", () => {
  it("names files relative to the working folder", () => {
    expect(about([read("/home/u/app/src/login.rs")], "/home/u/app")).toEqual(["src/login.rs"]);
    expect(about([read("/home/u/app/src/a.rs"), read("/home/u/app/src/b.rs")], "/home/u/app")).toEqual([
      "2 files in src",
    ]);
    expect(about([read("/home/u/app/a.rs"), read("/home/u/app/b.rs")], "/home/u/app")).toEqual(["2 files"]);
  });

  it("keeps paths outside it", () => {
    expect(within("/home/u/application/x", "/home/u/app")).toBe("/home/u/application/x");
    expect(within("/etc/hosts", "/home/u/app")).toBe("/etc/hosts");
    expect(within("C:\\work\\app\\a.rs", "C:\\work\\app\\")).toBe("a.rs");
    expect(within("/home/u/app", "/home/u/app")).toBe(".");
    expect(within("/x", "")).toBe("/x");
  });
});
