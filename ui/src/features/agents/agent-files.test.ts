import { describe, expect, it } from "vitest";
import type { AgentFilePlan } from "../../generated/api";
import { CallError } from "../../platform";
import { fakeHost } from "../../platform/fake";
import type { Project } from "../../state/project.svelte";
import { done, stateLabel, AgentFiles } from "./agent-files.svelte";

function filesWith(options = ""): AgentFiles {
  const host = fakeHost(new URLSearchParams(options));
  return new AgentFiles({
    call: (method: never, params: never) => host.call(method, params, "gatehouse"),
  } as unknown as Project);
}
const paths = (plans: readonly AgentFilePlan[]) => plans.map(({ path }) => path);

describe("agent instructions", () => {
  it("select the defaults, install the selection and remove it again", async () => {
    const files = filesWith();
    await files.read();
    expect(files.selected).toEqual(["skill", "agents_md"]);
    expect(paths(files.plan)).toEqual([
      ".claude/skills/beads/SKILL.md",
      ".claude/skills/beads/remember.md",
      "AGENTS.md",
    ]);
    expect(files.removable).toEqual([]);
    files.select("skill", false);
    await files.apply(false);
    expect(files.result).toBe("Written: AGENTS.md.");
    expect([paths(files.plan), paths(files.removable)]).toEqual([[], ["AGENTS.md"]]);
    expect(stateLabel(files.filesOf("agents_md"))).toBe("Installed");
    await files.apply(true);
    expect([files.result, files.removable]).toEqual(["Removed from: AGENTS.md.", []]);
  });

  it("start with the installed state", async () => {
    const files = filesWith();
    await files.read();
    files.select("skill", false);
    await files.apply(false);
    await files.read();
    expect(files.selected).toEqual(["agents_md"]);
  });

  it("report only selected files that cannot be changed", async () => {
    const files = filesWith("with=broken-settings");
    await files.read();
    expect([files.refused, stateLabel(files.filesOf("permissions"))]).toEqual([[], "Cannot be changed"]);
    files.select("permissions", true);
    expect(paths(files.refused)).toEqual([".claude/settings.json"]);
    await files.apply(false);
    expect(files.error).toBeInstanceOf(CallError);
    expect(paths(files.plan)).toContain("AGENTS.md");
  });

  it("summarize the result", () => {
    expect(done({ root: "/", files: [] }, false)).toBe("Nothing to change.");
  });
});
