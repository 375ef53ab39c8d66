import { describe, expect, it } from "vitest";
import type { AgentFilePlan } from "../../generated/api";
import { CallError } from "../../platform";
import { fakeHost } from "../../platform/fake";
import type { Project } from "../../state/project.svelte";
import { done, standing, AgentFiles } from "./agent-files.svelte";

function teachingOn(options = ""): AgentFiles {
  const host = fakeHost(new URLSearchParams(options));
  return new AgentFiles({
    call: (method: never, params: never) => host.call(method, params, "gatehouse"),
  } as unknown as Project);
}
const paths = (files: readonly AgentFilePlan[]) => files.map((file) => file.path);

describe("agent instructions", () => {
  it("select the defaults, install the selection and remove it again", async () => {
    const teaching = teachingOn();
    await teaching.begin();
    expect(teaching.wanted).toEqual(["skill", "agents_md"]);
    expect(paths(teaching.plan)).toEqual([
      ".claude/skills/beads/SKILL.md",
      ".claude/skills/beads/remember.md",
      "AGENTS.md",
    ]);
    expect(teaching.removing).toEqual([]);
    teaching.want("skill", false);
    await teaching.carryOut(false);
    expect(teaching.said).toBe("Written: AGENTS.md.");
    expect([paths(teaching.plan), paths(teaching.removing)]).toEqual([[], ["AGENTS.md"]]);
    expect(standing(teaching.filesOf("agents_md"))).toBe("Installed");
    await teaching.carryOut(true);
    expect([teaching.said, teaching.removing]).toEqual(["Removed from: AGENTS.md.", []]);
  });

  it("start with the installed state", async () => {
    const teaching = teachingOn();
    await teaching.begin();
    teaching.want("skill", false);
    await teaching.carryOut(false);
    await teaching.begin();
    expect(teaching.wanted).toEqual(["agents_md"]);
  });

  it("report what cannot be changed, only for selected entries", async () => {
    const teaching = teachingOn("with=broken-settings");
    await teaching.begin();
    expect([teaching.refused, standing(teaching.filesOf("permissions"))]).toEqual([[], "Cannot be changed"]);
    teaching.want("permissions", true);
    expect(paths(teaching.refused)).toEqual([".claude/settings.json"]);
    await teaching.carryOut(false);
    expect(teaching.error).toBeInstanceOf(CallError);
    expect(paths(teaching.plan)).toContain("AGENTS.md");
  });

  it("summarise the result", () => {
    expect(done({ root: "/", files: [] }, false)).toBe("Nothing to change.");
  });
});
