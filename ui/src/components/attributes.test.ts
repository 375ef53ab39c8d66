import { expect, test } from "vitest";
import { both } from "./attributes";

test("what comes after wins, and both listen", () => {
  const heard: string[] = [];
  const merged = both(
    { id: "a", onclick: () => heard.push("first") },
    { id: "b", onclick: () => heard.push("second"), title: "t" },
  );
  expect(merged).toMatchObject({ id: "b", title: "t" });
  (merged["onclick"] as (event: Event) => void)(new Event("click"));
  expect(heard).toEqual(["first", "second"]);
});

test("what the first one prevented the second one does not hear of", () => {
  const heard: string[] = [];
  const merged = both({ onclick: (event: Event) => event.preventDefault() }, { onclick: () => heard.push("second") });
  (merged["onclick"] as (event: Event) => void)(new Event("click", { cancelable: true }));
  expect(heard).toEqual([]);
});

test("what was attached stays attached", () => {
  const attached = Symbol();
  expect(both({ [attached]: 1 }, {})[attached]).toBe(1);
  expect(both({}, { [attached]: 1 })[attached]).toBe(1);
});
