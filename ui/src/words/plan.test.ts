import { describe, expect, it } from "vitest";
import { planRows, remarksText, stepsOf } from "./plan";

const PLAN = `# Rotate the keys

1. Keep two keys
   in the ring.
   - one signs
2. Run this:

\`\`\`sh
a

b
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

The end
of it.
`;

describe("a plan", () => {
  it("has a row for each item, block and paragraph, with its line number", () => {
    expect(planRows(PLAN)).toEqual([
      { line: 1, text: "# Rotate the keys", depth: 0 },
      { line: 3, text: "1. Keep two keys\n  in the ring.", depth: 0 },
      { line: 5, text: "- one signs", depth: 1 },
      { line: 6, text: "2. Run this:", depth: 0 },
      { line: 8, text: "```sh\na\n\nb\n```", depth: 0 },
      { line: 14, text: "| a | b |\n|---|---|\n| 1 | 2 |", depth: 0 },
      { line: 18, text: "The end\nof it.", depth: 0 },
    ]);
    expect(stepsOf(planRows(PLAN))).toBe(2);
  });

  it("shows all of an unfinished code block, and nothing of an empty plan", () => {
    expect(planRows("```\nx").map(({ text }) => text)).toEqual(["```\nx"]);
    expect(planRows("\n \n")).toEqual([]);
  });

  it("is sent back with each remark below the quoted line", () => {
    const rows = planRows(PLAN);
    expect(remarksText(rows, { 5: "Name it.", 18: " \n", 3: 'Say "why",\nplease.' })).toBe(
      'Remarks on the plan:\n\nLine 3:\n\n> 1. Keep two keys\n>   in the ring.\n\nSay "why",\nplease.\n\n' +
        "Line 5:\n\n> - one signs\n\nName it.",
    );
    expect(remarksText(rows, {})).toBe("");
  });
});
