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
  it("are those that run, four at most, until somebody chooses", () => {
    expect(ids(panesOf([], all))).toEqual(["a", "c", "d", "e"]);
  });

  it("are what was chosen, in that order, without what is over or gone", () => {
    expect(ids(panesOf(["d", "g", "zz", "b"], all))).toEqual(["d", "b"]);
  });

  it("are those that run once all that was chosen is over", () => {
    expect(ids(panesOf(["g"], all))).toEqual(["a", "c", "d", "e"]);
  });

  it("offer the rest, what runs first", () => {
    expect(ids(othersOf(panesOf(["a"], all), all))).toEqual(["c", "d", "e", "f", "b"]);
  });

  it("another one takes the last place where there is no room", () => {
    expect(withPane(panesOf(["a", "c"], all), "d")).toEqual(["a", "c", "d"]);
    expect(withPane(panesOf(["a", "c", "d", "e"], all), "f")).toEqual(["a", "c", "d", "f"]);
    expect(withPane(panesOf(["a", "c"], all), "a")).toEqual(["c", "a"]);
  });

  it("one takes the place of another, or changes places with it", () => {
    expect(inPlaceOf(panesOf(["a", "c"], all), "a", "d")).toEqual(["d", "c"]);
    expect(inPlaceOf(panesOf(["a", "c", "d"], all), "a", "d")).toEqual(["d", "c", "a"]);
  });
});
