import { describe, expect, it } from "vitest";
import type { SessionMetrics } from "../../generated/api";
import { csvOf, figuresOf, tableOf } from "./metrics";

const METRICS: SessionMetrics = {
  id: "5e551007-0000-4000-8000-000000000000",
  duration_ms: 6_000_000,
  message_count: 58,
  tokens: { input: 1200, cache_creation: 80_000, cache_read: 1_500_000, output: 15_212 },
  total_tokens: 96_412,
  cost_usd: 1.84,
  files_touched: 6,
  commits: 3,
  tools: [
    { tool: "Bash", calls: 12, errors: 2 },
    { tool: 'mcp__a,b|"c"', calls: 1, errors: 0 },
  ],
  tool_calls: 13,
  errors: 2,
  latency: { median_ms: 1840, p90_ms: 6200, answers: 29 },
};
const shown = (metrics: SessionMetrics) =>
  Object.fromEntries(figuresOf(metrics).map(({ name, value }) => [name, value]));

describe("session metrics", () => {
  it("are complete and readable", () => {
    expect(shown(METRICS)).toEqual({
      "Active time": "1h 40m",
      Messages: "58",
      Tokens: "96,412",
      "Tokens in": "1,200",
      "Cache creation": "80,000",
      "Cache read": "1,500,000",
      "Tokens out": "15,212",
      Cost: "$1.84",
      "Files touched": "6",
      Commits: "3",
      "Tool calls": "13",
      Errors: "2",
      "Response, median": "1.8 s",
      "Response, nine of ten": "6.2 s",
    });
  });

  it("distinguish unmeasured values from zero and from missing ones", () => {
    const bare = { ...METRICS, cost_usd: null, latency: null };
    expect([shown(bare)["Cost"], shown(bare)["Response, median"]]).toEqual(["–", "–"]);
    expect(csvOf(bare)).toContain("Cost,,USD\n");
  });

  it("export as CSV with plain numbers and escaped names", () => {
    const lines = csvOf(METRICS).split("\n");
    expect(lines.slice(0, 4)).toEqual([
      "figure,value,unit",
      "Active time,6000000,ms",
      "Messages,58,messages",
      "Tokens,96412,tokens",
    ]);
    expect(lines).toContain('"mcp__a,b|""c"": calls",1,calls');
  });

  it("export as a Markdown table", () => {
    const table = tableOf(METRICS);
    expect(table).toContain("| Tokens out | 15,212 |\n");
    expect(table).toContain('| mcp__a,b\\|"c" | 1 | 0 |\n');
  });
});
