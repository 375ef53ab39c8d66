import { describe, expect, it } from "vitest";
import type { WorktreeShown } from "../../generated/api";
import { fakeHost } from "../../platform/fake";
import { size } from "../../words/count";
import { stateOf, Worktrees } from "./worktrees.svelte";

const setup = () => {
  const host = fakeHost(new URLSearchParams());
  return new Worktrees((method, params) => host.call(method, params, "gatehouse"));
};

function of(trees: Worktrees, clean: boolean): WorktreeShown {
  const found = trees.listed?.worktrees.find(
    (tree) => tree.state === "here" && tree.clean === clean && tree.session?.status !== "active",
  );
  if (!found) throw new Error("the sample project has no such worktree");
  return found;
}

describe("worktrees", () => {
  it("are removed at once if nothing is lost", async () => {
    const trees = setup();
    await trees.read();
    const { path, ...rest } = of(trees, true);
    await trees.remove({ path, ...rest });
    expect([trees.error, trees.loss, trees.listed?.worktrees.some((tree) => tree.path === path)]).toEqual([
      null,
      null,
      false,
    ]);
    expect(trees.said).toContain("is kept");
  });

  it("are removed after the user has seen the losses, and only then", async () => {
    const trees = setup();
    await trees.read();
    const tree = of(trees, false);
    await trees.remove(tree);
    expect(trees.loss?.uncommitted.length).toBeGreaterThan(0);
    trees.loss = trees.loss && { ...trees.loss, fingerprint: "of another moment" };
    await trees.removeSeen();
    expect([trees.error?.code, trees.loss?.fingerprint === "of another moment"]).toEqual([
      "confirmation_needed",
      false,
    ]);
    await trees.removeSeen();
    expect([trees.error, trees.loss, trees.listed?.worktrees.includes(tree)]).toEqual([null, null, false]);
  });

  it("stay while a session uses them; a deleted one can be restored", async () => {
    const trees = setup();
    await trees.read();
    const busy = trees.listed?.worktrees.find(({ session }) => session?.status === "active");
    if (busy) await trees.remove({ ...busy, clean: true });
    expect(trees.error?.code).toBe("session_state");
    const gone = trees.listed?.worktrees.find(({ state }) => state === "gone");
    if (gone) await trees.restore(gone);
    expect(trees.said).toContain("is created again");
    expect(trees.listed?.worktrees.some(({ state }) => state === "gone")).toBe(false);
  });

  it("have short sizes and states", () => {
    expect([size(0), size(999), size(1000), size(9960), size(999_600), size(48_234_496), size(2e9, false)]).toEqual([
      "0 B",
      "999 B",
      "1.0 kB",
      "10 kB",
      "1.0 MB",
      "48 MB",
      "2.0 GB+",
    ]);
    const tree = {
      state: "here",
      clean: true,
      uncommitted: 0,
      untracked: 0,
      commits: 2,
      trouble: null,
    } as WorktreeShown;
    expect(stateOf(tree)).toBe("clean, 2 commits only here");
    expect(stateOf({ ...tree, clean: false, uncommitted: 1, commits: 0 })).toBe("1 uncommitted");
  });
});
