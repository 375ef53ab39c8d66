import { beforeEach, expect, it } from "vitest";
import { NewBead } from "./new-bead.svelte";

beforeEach(() => localStorage.clear());

it("a draft survives its dialog and the window, per project", () => {
  const bead = new NewBead("gatehouse");
  expect(bead.empty).toBe(true);
  bead.title = "Rotate keys";
  bead.description = "Every night.";
  expect(bead.empty).toBe(false);
  const again = new NewBead("gatehouse");
  expect([again.title, again.description, again.type, again.priority]).toEqual([
    "Rotate keys",
    "Every night.",
    "task",
    "2",
  ]);
  expect(new NewBead("sundial").empty).toBe(true);
  again.clear();
  expect([again.empty, new NewBead("gatehouse").empty]).toEqual([true, true]);
});

it("ignores a draft of an incompatible version", () => {
  for (const kept of ["no JSON", "null", "[1]", '{"title":7,"other":"x"}']) {
    localStorage.setItem("new-bead:gatehouse", kept);
    expect(new NewBead("gatehouse").empty, kept).toBe(true);
  }
});
