import { describe, expect, it } from "vitest";
import { beforeOf, dropBefore } from "./order";

const line = ["a", "b", "c", "d"];
/** The order after a move. */
const after = (id: string, before: string | null | undefined) => {
  if (before === undefined) return line;
  const rest = line.filter((other) => other !== id);
  rest.splice(before === null ? rest.length : rest.indexOf(before), 0, id);
  return rest;
};

describe("the order of a list", () => {
  it("moves an item by one place", () => {
    expect(after("b", beforeOf(line, "b", 1))).toEqual(["a", "c", "b", "d"]);
    expect(after("b", beforeOf(line, "b", -1))).toEqual(["b", "a", "c", "d"]);
    expect(after("c", beforeOf(line, "c", 1))).toEqual(["a", "b", "d", "c"]);
  });

  it("stops at both ends", () => {
    expect(beforeOf(line, "a", -1)).toBeUndefined();
    expect(beforeOf(line, "d", 1)).toBeUndefined();
    expect(beforeOf(line, "z", 1)).toBeUndefined();
  });

  it("moves a dropped item to the place of its drop target", () => {
    expect(after("a", dropBefore(line, "a", "c"))).toEqual(["b", "c", "a", "d"]);
    expect(after("d", dropBefore(line, "d", "b"))).toEqual(["a", "d", "b", "c"]);
    expect(after("a", dropBefore(line, "a", "d"))).toEqual(["b", "c", "d", "a"]);
    expect(dropBefore(line, "a", "a")).toBeUndefined();
  });
});
