import { describe, expect, it } from "vitest";
import type { PermissionRequest } from "../generated/api";
import { answersOf, choose, chooseOther, NO_DRAFT, questionsOf } from "./question";

const request = (input: unknown, tool = "AskUserQuestion") =>
  ({ id: "r", tool, input, subagent: null, lasting: [], asked_at: "" }) as unknown as PermissionRequest;
const two = questionsOf(
  request({
    questions: [
      {
        question: "Which colour?",
        header: "Colour",
        options: [{ label: "Red", description: "warm" }, { label: "Blue" }, {}],
      },
      { question: "Which fruits?", multiSelect: true, options: [{ label: "Apple" }, { label: "Pear" }] },
      { question: "Which colour?", options: [] },
    ],
  }),
);

describe("questions", () => {
  it("are read only from their tool's input", () => {
    expect(two.map((one) => one.question)).toEqual(["Which colour?", "Which fruits?"]);
    expect(two[0]?.options).toEqual([
      { label: "Red", description: "warm" },
      { label: "Blue", description: "" },
    ]);
    expect(questionsOf(request({ questions: [{ question: "x" }] }, "Bash"))).toEqual([]);
    expect(questionsOf(request(null))).toEqual([]);
  });

  it("are answered when each one has an answer", () => {
    const [colour, fruits] = two as [(typeof two)[0] & object, (typeof two)[0] & object];
    const red = choose(colour, choose(colour, NO_DRAFT, "Blue"), "Red");
    expect(answersOf(two, { "Which colour?": red })).toBeNull();
    const both = choose(fruits, choose(fruits, NO_DRAFT, "Pear"), "Apple");
    expect(answersOf(two, { "Which colour?": red, "Which fruits?": both })).toEqual([
      { question: "Which colour?", chosen: ["Red"] },
      { question: "Which fruits?", chosen: ["Apple", "Pear"] },
    ]);
    const none = choose(fruits, choose(fruits, both, "Apple"), "Pear");
    expect(answersOf(two, { "Which colour?": red, "Which fruits?": none })).toBeNull();
  });

  it("accept the user's own text instead of an option, or beside several", () => {
    const [colour, fruits] = two as [(typeof two)[0] & object, (typeof two)[0] & object];
    const green = { ...chooseOther(colour, choose(colour, NO_DRAFT, "Red")), own: " green " };
    const more = { ...chooseOther(fruits, choose(fruits, NO_DRAFT, "Pear")), own: "plum" };
    expect(answersOf(two, { "Which colour?": green, "Which fruits?": more })).toEqual([
      { question: "Which colour?", chosen: ["green"] },
      { question: "Which fruits?", chosen: ["Pear", "plum"] },
    ]);
    expect(answersOf(two, { "Which colour?": { ...green, own: " " }, "Which fruits?": more })).toBeNull();
  });
});
