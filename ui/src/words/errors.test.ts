import { describe, expect, it } from "vitest";
import { CallError } from "../platform";
import { ERROR_CODES, inWindow, notice } from "./errors";

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

  it("have a text without options, commands, internal files or system codes for every code", () => {
    const foreign = /--|beads-console|os error|\.beads\/sessions/;
    const messages = [
      "use beads-console session end --yes (os error 2)",
      "cannot read /w/p/.beads/sessions/5e55/meta.json: Permission denied (os error 13)",
    ];
    const quoting = ["claude_exited", "git_failed", "setup_failed", "tracker_failed"];
    expect(ERROR_CODES.length).toBeGreaterThan(40);
    for (const code of ERROR_CODES.filter((code) => !quoting.includes(code))) {
      for (const message of messages) {
        const error = inWindow({ code, message, hint: "run `beads-console doctor --json`" });
        expect(`${error.message} ${error.hint ?? ""}`, code).not.toMatch(foreign);
        expect(error.message, code).toMatch(/^[A-Z].*\.$/);
      }
    }
  });

  it("keep the output of another program with its options", () => {
    const message = "git failed: use --allow-unrelated-histories";
    expect(inWindow({ code: "git_failed", message }).message).toBe("Git failed: use --allow-unrelated-histories.");
  });

  it("replace the engine's text in every error of a call", () => {
    const error = CallError.from({
      code: "project_not_found",
      message: "/x does not exist",
      hint: "name another folder with --project DIR",
    });
    expect([error.message, error.hint]).toEqual(["/x does not exist.", "Check the path, or open another folder."]);
  });
});

describe("warnings in a window", () => {
  it("lose the clause that names a command, and system codes", () => {
    expect(notice("BC-1 was not moved; free some space, then `beads-console bead submit BC-1`")).toBe(
      "BC-1 was not moved.",
    );
    expect(notice("/w/a cannot be read: Permission denied (os error 13)")).toBe(
      "/w/a cannot be read: permission denied.",
    );
  });
});
