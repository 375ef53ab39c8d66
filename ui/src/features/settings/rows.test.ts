import { describe, expect, it } from "vitest";
import { fakeHost } from "../../platform/fake";
import { choicesOf, GROUPS, OF_PROJECT, saidOf, type Row } from "./rows";

const rows = [...GROUPS, OF_PROJECT].flatMap((group) => group.rows);
const rowOf = (key: Row["key"]) => rows.find((row) => row.key === key) as Row;

describe("settings rows", () => {
  it("cover everything that a project can set", async () => {
    const { own } = await fakeHost().call("project.settings", {}, "gatehouse");
    expect(rows.map(({ key }) => key).sort()).toEqual(Object.keys(own).sort());
  });

  it("offer a custom value at its place among the choices", () => {
    const row = rowOf("inactivity_minutes");
    if (row.kind !== "choice") throw new Error("it is a choice");
    expect(choicesOf(row, 45).map(({ value }) => value)).toEqual(["0", "10", "30", "45", "60", "240"]);
    expect(choicesOf(row, 30)).toHaveLength(5);
  });

  it("summarize the current value", async () => {
    const { in_force } = await fakeHost().call("project.settings", {}, "gatehouse");
    expect([
      saidOf(rowOf("inactivity_minutes"), in_force),
      saidOf(rowOf("single_active"), in_force),
      saidOf(rowOf("reviews"), in_force),
    ]).toEqual(["after 30 min", "off", "on"]);
  });
});

describe("project settings", () => {
  it("override the user's settings until they are reset", async () => {
    const host = fakeHost();
    const set = await host.call(
      "project.set_settings",
      { set: { inactivity_minutes: 0, reviews: false } },
      "gatehouse",
    );
    expect([set.own.inactivity_minutes, set.in_force.inactivity_minutes, set.in_force.reviews]).toEqual([0, 0, false]);
    const unset = await host.call("project.set_settings", { unset: ["inactivity_minutes"] }, "gatehouse");
    expect([unset.own.inactivity_minutes, unset.in_force.inactivity_minutes, unset.in_force.reviews]).toEqual([
      null,
      30,
      false,
    ]);
  });
});
