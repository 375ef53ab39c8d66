import { describe, expect, it } from "vitest";
import { lineOf, wordsOf } from "./command";

describe("a command line", () => {
  it("is the same after it was written and read", () => {
    for (const words of [["cargo", "test", "--workspace"], ["sh", "-c", "a b && echo 'c'"], [""], [], ["back\\slash", 'say "so"', "{args}", "a\nb"]]) {
      expect(wordsOf(lineOf(words))).toEqual(words);
    }
  });

  it("is read as a person writes it", () => {
    expect(wordsOf(`  ssh host  "cd {cwd}; exec" it\\'s ''`)).toEqual(["ssh", "host", "cd {cwd}; exec", "it's", ""]);
  });

  it("is none while a quote is open", () => {
    expect(wordsOf("sh -c 'a b")).toBeNull();
    expect(wordsOf('say "a')).toBeNull();
  });

  it("is written without quotes where it needs none", () => {
    expect(lineOf(["docker", "exec", "-w", "{cwd}", "box", "{program}", "{args}"])).toBe("docker exec -w {cwd} box {program} {args}");
  });
});
