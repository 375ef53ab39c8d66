import { describe, expect, it } from "vitest";
import { lineOf } from "./command";

describe("command line", () => {
  it("has no quotes where none are needed", () => {
    expect(lineOf(["docker", "exec", "-w", "{cwd}", "box", "{program}", "{args}"])).toBe(
      "docker exec -w {cwd} box {program} {args}",
    );
  });

  it("quotes spaces, quotes, backslashes and empty words", () => {
    expect(lineOf(["sh", "-c", "a b && echo 'c'", "", "back\\slash"])).toBe(
      String.raw`sh -c 'a b && echo '\''c'\''' '' 'back\slash'`,
    );
  });
});
