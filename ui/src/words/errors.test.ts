import { describe, expect, it } from "vitest";
import { CallError } from "../platform";
import { inWindow } from "./errors";

describe("errors in a window", () => {
  it("contain no terms of the system or the command line", () => {
    const error = inWindow({
      code: "io",
      message: "reading /x/y failed: No such file or directory (os error 2)",
      hint: "run `beads-console doctor`",
    });
    expect(error).toEqual({ message: "Reading /x/y failed: it does not exist." });
    expect(
      inWindow({ code: "usage", message: "x is not an absolute path", hint: "name it with --project DIR" }),
    ).toEqual({ message: "X is not an absolute path." });
  });

  it("name the UI's next step, and keep a hint that applies there", () => {
    expect(
      inWindow({ code: "no_beads", message: "there are no beads in /x", hint: "make them with `beads-console init`" }),
    ).toEqual({
      message: "There are no beads in /x.",
      hint: "Choose Set up project… to create them.",
    });
    expect(inWindow({ code: "dirty_tree", message: "3 files are changed", hint: "commit or stash them" }).hint).toBe(
      "Commit or stash them.",
    );
    expect(
      inWindow({ code: "dirty_tree", message: "3 files are changed", hint: "commit with `git commit -m x`" }).hint,
    ).toBeUndefined();
  });

  it("are the only errors of calls to the engine", () => {
    const error = CallError.from({
      code: "project_not_found",
      message: "/x does not exist",
      hint: "name another folder with --project DIR",
    });
    expect([error.message, error.hint]).toEqual(["/x does not exist.", "Check the path, or open another folder."]);
  });
});
