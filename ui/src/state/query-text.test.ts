import { expect, it } from "vitest";
import { chosenIn, partsOf, quoted, spliced, toggled } from "./query-text";

it("splits a query into conditions and texts", () => {
  const query = 'status:open -label:"good first",ui priority<=1 updated<7d "two words" -x http://a';
  const parts = partsOf(query).map(({ negated, field, operator, values }) => [negated, field, operator, ...values]);
  expect(parts.slice(0, 6)).toEqual([
    [false, "status", ":", "open"],
    [true, "label", ":", "good first", "ui"],
    [false, "priority", "<=", "1"],
    [false, "updated", "<", "7d"],
    [false, null, "", "two words"],
    [true, null, "", "x"],
  ]);
  for (const { from, to } of partsOf(query)) expect(query.slice(from, to)).toBe(query.slice(from, to).trim());
});

it("keeps quotes and commas inside a value", () => {
  const label = 'a "b", c\\d';
  expect(partsOf(`label:${quoted(label)}`)[0]?.values).toEqual([label]);
  expect(quoted("none")).toBe('"none"');
  expect(quoted("ui")).toBe("ui");
});

it("an unclosed quote reaches to the end", () => {
  expect(partsOf('label:"good fi').map(({ values }) => values)).toEqual([["good fi"]]);
});

it("several values of a field are alternatives in one part", () => {
  let query = "token";
  query = toggled(query, "label", "auth");
  query = toggled(query, "label", "good first");
  expect(query).toBe('token label:auth,"good first"');
  expect(chosenIn(query, "label")).toEqual(["auth", "good first"]);
  query = toggled(query, "label", "auth");
  expect(query).toBe('token label:"good first"');
  expect(toggled(query, "label", "good first")).toBe("token");
});

it("negated conditions and comparisons are not choices", () => {
  expect(toggled("-label:x priority<=1", "label", "x")).toBe("-label:x priority<=1 label:x");
  expect(toggled("priority<=1", "priority", "P0")).toBe("priority<=1 priority:P0");
});

it("several parts of a field become one", () => {
  expect(toggled("label:a text label:b", "label", "c")).toBe("label:a,b,c text");
});

it("removes a part with the space beside it", () => {
  expect(spliced("a b c", { from: 2, to: 3 }, "")).toBe("a c");
  expect(spliced("a", { from: 0, to: 1 }, "")).toBe("");
});
