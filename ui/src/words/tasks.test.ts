import { expect, it } from "vitest";
import { tasksOf, toggleTask } from "./tasks";

it("toggles the task of a line, and nothing else", () => {
  const text = "- [ ] one\n  1. [x] two\n> * [X] three\n[ ] none";
  expect(toggleTask(text, 0)).toBe(text.replace("- [ ] one", "- [x] one"));
  expect(toggleTask(text, 1)).toBe(text.replace("[x] two", "[ ] two"));
  expect(toggleTask(text, 2)).toBe(text.replace("[X] three", "[ ] three"));
  expect([toggleTask(text, 3), toggleTask(text, 9)]).toEqual([text, text]);
  expect(tasksOf(text)).toEqual({ all: 3, done: 2 });
});
