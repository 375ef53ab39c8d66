import { beforeEach, expect, it } from "vitest";
import { NewBead } from "./new-bead.svelte";

beforeEach(() => localStorage.clear());

it("a draft survives its dialog and the window, per project", () => {
  const bead = new NewBead("gatehouse");
  expect(bead.empty).toBe(true);
  bead.set("title", "Rotate keys");
  bead.set("description", "Every night.");
  expect(bead.empty).toBe(false);
  const again = new NewBead("gatehouse");
  expect([again.get("title"), again.get("description"), again.get("type"), again.get("priority")]).toEqual([
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
  for (const kept of ["no JSON", "null", "[1]", '{"title":7,"labels":[1],"other":"x"}']) {
    localStorage.setItem("new-bead:gatehouse", kept);
    expect(new NewBead("gatehouse").empty, kept).toBe(true);
  }
  localStorage.setItem("new-bead:gatehouse", '{"labels":"auth, parser"}');
  expect(new NewBead("gatehouse").get("labels")).toEqual(["auth", "parser"]);
});

it("sends the fields that are filled in, without those that the tracker lacks", () => {
  const bead = new NewBead("gatehouse");
  bead.set("title", " Rotate keys ");
  bead.set("labels", ["a, b", 'say "x"']);
  bead.set("estimate", "1h 30m");
  bead.set("external", "GH-7");
  expect(bead.params(() => false)).toEqual({
    title: "Rotate keys",
    issue_type: "task",
    priority: 2,
    labels: ["a, b", 'say "x"'],
    estimated_minutes: 90,
    external_ref: "GH-7",
  });
  const lean = bead.params((field) => field === "estimated_minutes");
  expect("estimated_minutes" in lean).toBe(false);
});

it("keeps type, priority, labels, assignee and parent for another bead", () => {
  const bead = new NewBead("gatehouse");
  bead.set("title", "Rotate keys");
  bead.set("type", "bug");
  bead.set("labels", ["auth"]);
  bead.another();
  expect([bead.get("title"), bead.get("type"), bead.get("labels")]).toEqual(["", "bug", ["auth"]]);
});
