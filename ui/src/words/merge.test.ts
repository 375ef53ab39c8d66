import { expect, it } from "vitest";
import { merged } from "./merge";

it("merges edits of different lines", () => {
  expect(merged("a\nb\nc", "A\nb\nc", "a\nb\nC")).toBe("A\nb\nC");
  expect(merged("a\nb\nc", "a\nc", "a\nb\nc\nd")).toBe("a\nc\nd");
  expect(merged("", "x", "x")).toBe("x");
});

it("returns null if both edits changed the same lines", () => {
  expect(merged("a\nb", "A\nb", "AA\nb")).toBeNull();
  expect(merged("a\nb", "a\nb\nmine", "a\nb\ntheirs")).toBeNull();
});
