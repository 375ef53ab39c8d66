import { expect, it } from "vitest";
import { completed, completionsAt, type Known } from "./completion";
import { piecesOf } from "./paint";

const known: Known = {
  statuses: ["open", "closed", "in_progress"],
  types: ["bug", "task"],
  labels: ["parser", "good first", "none"],
  assignees: ["Mara Klein"],
  epics: [{ id: "BC-1", title: "Errors with spans" }],
  beads: [
    { id: "BC-1", title: "Errors with spans" },
    { id: "BC-2", title: "Other" },
  ],
};
const names = (query: string, caret = query.length) => completionsAt(query, caret, known).list.map(({ name }) => name);
function take(query: string, name: string, caret = query.length) {
  const found = completionsAt(query, caret, known);
  const one = found.list.find((each) => each.name === name);
  if (!one) throw new Error(`${name} is not offered: ${found.list.map((each) => each.name).join(", ")}`);
  return completed(query, found, one).query;
}

it("offers fields, and those that are not used yet after a condition", () => {
  expect(names("")[0]).toBe("status:");
  expect(names("status:open ")).not.toContain("status:");
  expect(names("status:open ")).toContain("-label:");
  expect(names("la")).toEqual(["label:"]);
  expect(names("-la")).toEqual(["-label:"]);
  expect(take("pri", "priority<=")).toBe("priority<=");
});

it("offers the values in use, and quotes them where needed", () => {
  expect(take("label:par", "parser")).toBe("label:parser ");
  expect(take("label:goo", "good first")).toBe('label:"good first" ');
  expect(take('label:"good f', "good first")).toBe('label:"good first" ');
  expect(take("assignee:", "me")).toBe("assignee:me ");
  expect(take("assignee:kl", "Mara Klein")).toBe('assignee:"Mara Klein" ');
});

it("offers ages for times", () => {
  expect(completionsAt("updated<", 8, known).list.slice(0, 2)).toEqual([
    { text: "1d", name: "1d", about: "the last 1 day", ends: true },
    { text: "3d", name: "3d", about: "the last 3 days", ends: true },
  ]);
});

it("finds a bead by its title", () => {
  expect(take("epic:span", "BC-1")).toBe("epic:BC-1 ");
});

it("completes the value at the caret only", () => {
  expect(take("label:ui,par text", "parser", 12)).toBe("label:ui,parser text");
  expect(take("status:op label:x", "open", 9)).toBe("status:open label:x");
});

it("offers nothing for a plain text", () => {
  expect(names("zzz")).toEqual([]);
});

it("colours conditions without losing a character", () => {
  const query = ' status:open  -label:"a b" priority<=2 text ';
  const pieces = piecesOf(query);
  expect(pieces.map(({ text }) => text).join("")).toBe(query);
  expect(pieces.filter(({ kind }) => kind === "field").map(({ text }) => text)).toEqual([
    "status:",
    "label:",
    "priority",
  ]);
  expect(pieces.find(({ kind }) => kind === "operator")?.text).toBe("<=");
});
