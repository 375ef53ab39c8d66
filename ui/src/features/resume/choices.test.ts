import { describe, expect, it } from "vitest";
import type { Obstacle } from "../../generated/api";
import { choicesOf, paramsOf, defaultsOf } from "./choices";

const closed: Obstacle = { kind: "bead_closed", message: "BC-1 is closed", choices: ["reclaim", "anyway", "end"] };
const gone: Obstacle = { kind: "branch_gone", message: "the branch is gone", choices: ["restore", "stay"] };

describe("resume decisions", () => {
  it("have defaults", () => {
    expect(paramsOf(defaultsOf([closed, gone]))).toEqual({ anyway: false, reclaim: true, place: "restore" });
    expect(paramsOf(defaultsOf([]))).toEqual({ anyway: false, reclaim: false, place: null });
  });

  it("are made one by one", () => {
    expect(paramsOf(["anyway", "stay"])).toEqual({ anyway: true, reclaim: false, place: "stay" });
  });

  it("can require ending the session instead", () => {
    expect(paramsOf(["restore", "end"])).toBeNull();
  });

  it("follow the order of the engine", () => {
    expect(choicesOf(closed).map((choice) => choice.value)).toEqual(closed.choices);
  });
});
