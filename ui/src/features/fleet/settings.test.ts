import { describe, expect, it } from "vitest";
import type { FleetSettings } from "../../generated/api";
import { SettingsDraft } from "./settings.svelte";

const settings: FleetSettings = {
  state_dir: ".chipset/state",
  auto_dispatch: true,
  max_agents: 8,
  min_free_mib: 2048,
  cost_per_day_usd: 12.5,
  stalled_minutes: 15,
  agent: "hlstc-executor",
  mode: "acceptEdits",
  model: null,
  simulated: false,
  worktree_dir: null,
  worktree_base: "main",
  worktree_copy: [".env", "local.toml"],
  worktree_link: ["node_modules"],
  worktree_setup: ["sh", "-c", "npm ci && true"],
  worktree_setup_minutes: 10,
  merge_target: "main",
  merge_method: "rebase",
  merge_check: ["cargo", "test"],
  merge_check_minutes: 30,
  merge_push: "origin",
  merge_checked_out: "follow",
  merge_review: true,
  runners: {
    box: {
      command: ["docker", "exec", "box", "{program}", "{args}"],
      probe: [],
      program: "/opt/claude",
      console: null,
    },
  },
  runner: "box",
  places: [],
};

/** Splits the changed command lines as the engine would. */
function split(draft: SettingsDraft): void {
  const lines = draft.commandLines().filter((line) => !line.startsWith("sh -c"));
  draft.split(
    lines,
    lines.map((line) => (line.includes("'") ? null : line.split(" ").filter(Boolean))),
  );
}

describe("fleet settings form", () => {
  it("round-trips unchanged settings", () => {
    const draft = new SettingsDraft(settings);
    expect(draft.changed).toBe(false);
    expect(draft.settings()).toEqual(settings);
  });

  it("reads an empty limit as none, and trims lines", () => {
    const draft = new SettingsDraft(settings);
    draft.cost_per_day_usd = " ";
    draft.worktree_copy = " .env \n\n";
    expect(draft.changed).toBe(true);
    expect(draft.settings()).toMatchObject({ cost_per_day_usd: null, worktree_copy: [".env"] });
  });

  it("reports invalid fields and refuses to save", () => {
    const draft = new SettingsDraft(settings);
    draft.max_agents = "0";
    draft.merge_check = "cargo 'test";
    draft.state_dir = "";
    split(draft);
    expect(Object.keys(draft.wrong).sort()).toEqual(["max_agents", "merge_check", "state_dir"]);
    expect(draft.settings()).toBeNull();
  });

  it("clears references to a removed runner, and refuses duplicate names", () => {
    const draft = new SettingsDraft(settings);
    draft.add("box", "ssh host {program} {args}", "");
    expect(draft.runners.map(({ name }) => name)).toEqual(["box", "box-2"]);
    const [first, second] = draft.runners;
    if (!first || !second) throw new Error("there are two");
    second.name = "box";
    expect(Object.keys(draft.wrong)).toEqual([`name-${first.id}`, `name-${second.id}`]);
    draft.remove(first.id);
    split(draft);
    expect([draft.runner, draft.settings()?.runners["box"]?.command[0]]).toEqual(["local", "ssh"]);
  });
});
