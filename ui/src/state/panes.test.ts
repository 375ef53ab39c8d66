import { describe, expect, it } from "vitest";
import type { SessionView } from "../generated/api";
import { inPlaceOf, othersOf, panesOf, withPane } from "./panes";

const session = (id: string, status: SessionView["status"] = "active") => ({ id, status }) as SessionView;
const all = [
  session("a"),
  session("b", "paused"),
  session("c"),
  session("d"),
  session("e"),
  session("f"),
  session("g", "closed"),
];
const ids = (sessions: readonly SessionView[]) => sessions.map(({ id }) => id);

describe("terminals side by side", () => {
  it("default to at most four running sessions", () => {
    expect(ids(panesOf([], all))).toEqual(["a", "c", "d", "e"]);
  });

  it("keep the user's choice and order, without sessions that ended", () => {
    expect(ids(panesOf(["d", "g", "zz", "b"], all))).toEqual(["d", "b"]);
  });

  it("return to the default when all chosen sessions have ended", () => {
    expect(ids(panesOf(["g"], all))).toEqual(["a", "c", "d", "e"]);
  });

  it("offer the other sessions, running ones first", () => {
    expect(ids(othersOf(panesOf(["a"], all), all))).toEqual(["c", "d", "e", "f", "b"]);
  });

  it("replace the last one if there is no room", () => {
    expect(withPane(panesOf(["a", "c"], all), "d")).toEqual(["a", "c", "d"]);
    expect(withPane(panesOf(["a", "c", "d", "e"], all), "f")).toEqual(["a", "c", "d", "f"]);
    expect(withPane(panesOf(["a", "c"], all), "a")).toEqual(["c", "a"]);
  });

  it("swap places, or replace one another", () => {
    expect(inPlaceOf(panesOf(["a", "c"], all), "a", "d")).toEqual(["d", "c"]);
    expect(inPlaceOf(panesOf(["a", "c", "d"], all), "a", "d")).toEqual(["d", "c", "a"]);
  });
});
