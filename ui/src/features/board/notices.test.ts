import { describe, expect, it } from "vitest";
import { noticeOf, type Known } from "./notices";

const FINE: Known = { failed: false, claude: null, writable: true, git: true, warnings: 0, backup: null };

describe("board notices", () => {
  it("show one at a time, blocking problems first", () => {
    expect(noticeOf(FINE)).toBeNull();
    const first = { ...FINE, claude: "missing", git: false, backup: "not a repository" };
    expect(noticeOf(first), "a first run without claude and git").toBe("claude");
    expect(noticeOf({ ...first, claude: null })).toBe("no_git");
    expect(noticeOf({ ...first, failed: true })).toBe("beads");
    expect([
      noticeOf({ ...FINE, warnings: 2, backup: "x" }),
      noticeOf({ ...FINE, backup: "x" }),
      noticeOf({ ...FINE, writable: false }),
    ]).toEqual(["warnings", "backup", "read_only"]);
  });
});
