import { expect, test } from "vitest";
import { both } from "./attributes";

test("later attributes win, and all handlers are called", () => {
  const heard: string[] = [];
  const merged = both(
    { id: "a", onclick: () => heard.push("first") },
    { id: "b", onclick: () => heard.push("second"), title: "t" },
  );
  expect(merged).toMatchObject({ id: "b", title: "t" });
  (merged["onclick"] as (event: Event) => void)(new Event("click"));
  expect(heard).toEqual(["first", "second"]);
});

test("a prevented event skips the later handlers", () => {
  const heard: string[] = [];
  const merged = both({ onclick: (event: Event) => event.preventDefault() }, { onclick: () => heard.push("second") });
  (merged["onclick"] as (event: Event) => void)(new Event("click", { cancelable: true }));
  expect(heard).toEqual([]);
});

test("keeps attachments", () => {
  const attached = Symbol();
  expect(both({ [attached]: 1 }, {})[attached]).toBe(1);
  expect(both({}, { [attached]: 1 })[attached]).toBe(1);
});
