import { describe, expect, it } from "vitest";
import type { Injection } from "../../generated/api";
import { textSize } from "../../words/count";
import { aboutOf, nameOf, roundsOf } from "./rounds";

function injection(at: string, over: Partial<Injection> = {}): Injection {
  return {
    version: 1,
    at: `2026-11-20T${at}Z`,
    reason: "start",
    source: "recovery",
    text: "x",
    bytes: 1,
    conversation: "c1",
    stale: false,
    ...over,
  };
}

describe("rounds of context injections", () => {
  it("group the texts of one start, newest first", () => {
    const rounds = roundsOf([
      injection("09:00:00"),
      injection("09:00:01", { source: "context pack" }),
      injection("09:30:00", { reason: "compaction" }),
      injection("09:30:00", { reason: "compaction", source: "context pack" }),
      injection("09:31:00", { reason: "compaction" }),
    ]);
    expect(rounds.map((round) => [round.reason, round.texts.length])).toEqual([
      ["compaction", 1],
      ["compaction", 2],
      ["start", 2],
    ]);
    expect(rounds[2]?.texts.map((text) => text.source)).toEqual(["recovery", "context pack"]);
    expect(new Set(rounds.map((round) => round.key)).size).toBe(3);
  });

  it("separate two quick starts and every reminder", () => {
    const prompt = (at: string) => injection(at, { reason: "prompt", source: "reminder" });
    expect(
      roundsOf([
        injection("09:00:00"),
        injection("09:00:02"),
        injection("09:00:03", { conversation: "c2", source: "context pack" }),
      ]),
    ).toHaveLength(3);
    expect(roundsOf([prompt("09:00:00"), prompt("09:00:01")])).toHaveLength(2);
  });

  it("keep their key when texts are added", () => {
    const first = roundsOf([injection("09:00:00")])[0];
    expect(roundsOf([injection("09:00:00"), injection("10:00:00", { reason: "clear" })]).at(-1)?.key).toBe(first?.key);
  });
});

describe("an injection", () => {
  it("is named by its source and content", () => {
    expect(nameOf("recovery")).toBe("Recovery block");
    expect(nameOf("context pack")).toBe("Context pack");
    expect(aboutOf(injection("09:00:00", { text: "# Beads\n\n## Resuming: BC-1 — Mend it\n**Status:** open" }))).toBe(
      "BC-1 — Mend it",
    );
    expect(aboutOf(injection("09:00:00"))).toBe("No bead");
    expect(
      aboutOf(
        injection("09:00:00", {
          source: "context pack",
          text: "# Context pack from Beads Console, part 2 of 3\n\nmore",
        }),
      ),
    ).toBe("part 2 of 3");
    expect(aboutOf(injection("09:00:00", { source: "reminder", text: "A reminder" }))).toBe("");
  });

  it("is measured in bytes", () => {
    expect([1, 2048, 12_345].map(textSize)).toEqual(["1 byte", "2,048 bytes", "12.3 kB"]);
  });
});
