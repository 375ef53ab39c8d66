import { describe, expect, it } from "vitest";
import type { Need } from "../generated/api";
import { KINDS, needText, needTitle, noteOf } from "./needs";
import { endOf, stateWord } from "./session";

const NEED: Need = {
  id: "1",
  kind: "turn",
  session: null,
  bead: null,
  title: "Login\u202e",
  text: "Shall I push?",
  since: "2026-01-19T10:00:00Z",
  until: null,
  request: null,
  merge: null,
};

describe("needs of the user", () => {
  it("have a title and a notification for every kind, without invisible characters", () => {
    for (const { kind } of KINDS) {
      const { title, body } = noteOf({ ...NEED, kind }, "gatehouse");
      expect(title, kind).not.toBe("");
      expect(body.endsWith("gatehouse"), kind).toBe(true);
      expect(title + body, kind).not.toContain("\u202e");
    }
  });

  it("name the request, or the end of a limit", () => {
    const request = { id: "r", tool: "ExitPlanMode", input: {}, subagent: null, lasting: [], asked_at: NEED.since };
    const plan: Need = { ...NEED, kind: "plan", text: "Move it", request };
    expect([needTitle(plan), needText(plan)]).toEqual(["Move it", ""]);
    expect(needTitle({ ...NEED, kind: "limit", until: null })).toBe("Rate limited");
    const now = Date.parse("2026-01-19T10:00:00");
    expect(endOf("2026-01-19T14:30:00", now)).toBe("14:30");
    expect(endOf("2026-01-22T01:00:00", now)).toBe("22 Jan 01:00");
    expect(stateWord("rate_limited", null)).toBe("Rate limited");
    expect(stateWord("active", "2026-01-19T14:30:00")).toBe("Working");
  });
});
