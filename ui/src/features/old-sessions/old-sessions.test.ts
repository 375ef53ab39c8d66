import { describe, expect, it } from "vitest";
import { fakeHost } from "../../platform/fake";
import { rangeOf } from "./dates";
import { cleanedUp } from "./old-sessions.svelte";

describe("range of days", () => {
  const local = (day: number) => new Date(2026, 10, day).toISOString();

  it("includes its first and its last day", () => {
    expect(rangeOf("2026-11-02", "2026-11-04")).toEqual({ after: local(2), before: local(5) });
    expect(rangeOf("2026-11-02", "2026-11-02")).toEqual({ after: local(2), before: local(3) });
  });

  it("is open where no day is given", () => {
    expect(rangeOf("", "2026-11-04")).toEqual({ after: null, before: local(5) });
    expect(rangeOf("2026-11-02", "")).toEqual({ after: local(2), before: null });
  });

  it("is null without a day, or with the days reversed", () => {
    expect([rangeOf("", ""), rangeOf("2026-11-04", "2026-11-02")]).toEqual([null, null]);
  });
});

describe("cleanup", () => {
  it("reports what it deleted, or that there was nothing", () => {
    expect(cleanedUp({ closed_drafts: ["a", "b"], removed: ["c"], warnings: [] })).toBe(
      "Old drafts closed: 2. Permanently deleted: 1.",
    );
    expect(cleanedUp({ closed_drafts: [], removed: [], warnings: [] })).toBe("Nothing to clean up.");
  });
});

describe("fake host", () => {
  it("previews a range, deletes it, and restores it from the trash", async () => {
    const host = fakeHost();
    const range = { before: new Date(Date.now() - 3 * 864e5).toISOString() };
    const would = await host.call("session.delete_many", { ...range, dry_run: true }, "gatehouse");
    expect(would.sessions.map((s) => s.title)).toEqual([
      "Hash passwords with Argon2id",
      "Research timing leaks in the login path",
    ]);
    expect((await host.call("session.trash", {}, "gatehouse")).sessions).toEqual([]);
    await host.call("session.delete_many", { ids: would.sessions.map((s) => s.id) }, "gatehouse");
    const { sessions } = await host.call("session.trash", {}, "gatehouse");
    expect(sessions).toHaveLength(2);
    await host.call("session.restore", { id: would.sessions[0]?.id ?? "" }, "gatehouse");
    expect((await host.call("session.trash", {}, "gatehouse")).sessions).toHaveLength(1);
  });
});
