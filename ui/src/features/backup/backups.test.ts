import { describe, expect, it } from "vitest";
import { fakeHost } from "../../platform/fake";
import { Backups, newsOf } from "./backups.svelte";

const of = (how: string) => {
  const host = fakeHost(new URLSearchParams({ with: how }));
  return new Backups((method, params) => host.call(method, params, "gatehouse"));
};

describe("backups", () => {
  it("push to the remote and clear the last push error", async () => {
    const backups = of("push-failed");
    await backups.read();
    expect(backups.status?.branch.push_error).toContain("protected");
    expect(backups.status?.tracker.remotes?.map(({ name }) => name)).toEqual(["origin"]);
    await backups.backup(true);
    expect([backups.said, backups.status?.branch.ahead, backups.status?.branch.push_error]).toEqual([
      "Backed up. Pushed to origin.",
      0,
      null,
    ]);
  });

  it("report a failure and keep the last state", async () => {
    const backups = of("backup-failed");
    await backups.read();
    expect(await backups.backup(false)).toBe(false);
    expect([backups.error?.code, backups.doing, backups.status === null]).toEqual(["branch_in_use", null, false]);
  });

  it("are restored after a preview, and then nothing is left to restore", async () => {
    const backups = of("");
    await backups.preview(false);
    expect(backups.plan && newsOf(backups.plan)).toBe("2 beads, 1 memory, 1 session");
    await backups.restore();
    expect([backups.said, backups.plan && newsOf(backups.plan)]).toEqual([
      "Restored: 2 beads, 1 memory, 1 session.",
      "nothing",
    ]);
    const none = of("no-backup");
    expect([await none.preview(true), none.error?.code]).toEqual([false, "backup_not_found"]);
  });
});
