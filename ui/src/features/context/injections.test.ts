import { describe, expect, it, vi } from "vitest";
import type { Injections } from "../../generated/api";
import { CallError } from "../../platform";
import type { Project } from "../../state/project.svelte";
import { InjectionLog } from "./injections.svelte";

function answerWith(n: number): Injections {
  const one = {
    version: 1,
    at: "2026-11-20T09:00:00Z",
    reason: "start",
    source: "recovery",
    text: `${n}`,
    bytes: 1,
    conversation: null,
    stale: false,
  } as const;
  return { injections: [one], warnings: [] };
}

describe("context injections", () => {
  it("coalesce changes during a read into one more read", async () => {
    const answers: ((injections: Injections) => void)[] = [];
    const project = { call: () => new Promise<Injections>((answer) => answers.push(answer)) } as unknown as Project;
    const all = new InjectionLog(project, "s");
    const first = all.read();
    void all.read();
    void all.read();
    expect(answers).toHaveLength(1);
    answers[0]?.(answerWith(1));
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.(answerWith(2));
    await first;
    expect(all.injections[0]?.text).toBe("2");
    expect(all.phase.state).toBe("ready");
  });

  it("report a failed read and try again", async () => {
    let fails = true;
    const project = {
      call: () => (fails ? Promise.reject(new CallError("io", "the disk is gone")) : Promise.resolve(answerWith(1))),
    } as unknown as Project;
    const all = new InjectionLog(project, "s");
    await all.read();
    expect(all.phase).toMatchObject({ state: "failed", error: { message: "the disk is gone" } });
    fails = false;
    await all.read();
    expect(all.phase.state).toBe("ready");
  });
});
