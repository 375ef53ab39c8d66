import { describe, expect, it } from "vitest";
import type { SessionView, Status } from "../generated/api";
import type { SessionActions } from "../state/session-actions";
import type { SessionCommandId } from "../state/session-commands";
import { menuGroups, sessionMenu } from "./session-menu";

const IDS: SessionCommandId[] = ["session.resume", "session.pause", "session.end", "session.figures"];
const labels = (status: Status) =>
  sessionMenu({} as SessionActions, { status } as SessionView, IDS).map((entry) => "label" in entry && entry.label);

describe("session menu", () => {
  it("offers the actions that the session's state allows, in menu order", () => {
    expect(labels("active")).toEqual(["Pause", "End…", "Metrics"]);
    expect(labels("paused")).toEqual(["Resume", "End…", "Metrics"]);
    expect(labels("closed")).toEqual(["Metrics"]);
  });

  it("acts on its own session", () => {
    const ended: SessionView[] = [];
    const actions = { askEnd: (session: SessionView) => ended.push(session) } as unknown as SessionActions;
    const session = { status: "active" } as SessionView;
    const [entry] = sessionMenu(actions, session, ["session.end"]);
    if (entry && "run" in entry) entry.run();
    expect(ended).toEqual([session]);
  });

  it("separates only groups that have entries", () => {
    const [one] = sessionMenu({} as SessionActions, { status: "active" } as SessionView, ["session.pause"]);
    if (!one) throw new Error("an active session can be paused");
    expect(menuGroups([], [one], [])).toEqual([one]);
    expect(menuGroups([one], [one])).toEqual([one, { kind: "separator" }, one]);
  });
});
