/** A session's metrics as rows, and as Markdown and CSV. Pure. */
import type { SessionMetrics } from "../../generated/api";
import { dollars, grouped } from "../../words/count";
import { duration, elapsed } from "../../words/time";

export interface Figure {
  name: string;
  /** The formatted value; a dash if unknown. */
  value: string;
  /** A note on what the value includes. */
  description?: string;
  /** For CSV: the raw number, empty if unknown, and its unit. */
  raw: number | "";
  unit: string;
}

export function figuresOf(m: SessionMetrics): Figure[] {
  const count = (name: string, n: number, unit: string, description?: string): Figure => ({
    name,
    value: grouped(n),
    raw: n,
    unit,
    ...(description ? { description } : {}),
  });
  const wait = (name: string, ms: number | undefined, description: string): Figure => ({
    name,
    value: ms === undefined ? "–" : elapsed(ms),
    description,
    raw: ms ?? "",
    unit: "ms",
  });
  return [
    {
      name: "Active time",
      value: duration(m.duration_ms, true),
      description: "excluding pauses",
      raw: m.duration_ms,
      unit: "ms",
    },
    count("Messages", m.message_count, "messages"),
    count("Tokens", m.total_tokens, "tokens", "input, cache creation and output"),
    count("Tokens in", m.tokens.input, "tokens", "sent, not cached"),
    count("Cache creation", m.tokens.cache_creation, "tokens", "written to the cache"),
    count("Cache read", m.tokens.cache_read, "tokens", "not included in the total"),
    count("Tokens out", m.tokens.output, "tokens", "written by the model"),
    {
      name: "Cost",
      value: dollars(m.cost_usd),
      description: m.cost_usd === null ? "not reported by Claude" : "as reported by Claude",
      raw: m.cost_usd ?? "",
      unit: "USD",
    },
    count("Files touched", m.files_touched, "files", "read or written"),
    count("Commits", m.commits, "commits"),
    count("Tool calls", m.tool_calls, "calls"),
    count("Errors", m.errors, "errors", "failed or denied tools, API errors"),
    wait(
      "Response, median",
      m.latency?.median_ms,
      m.latency ? `until a reply started, ${grouped(m.latency.answers)} replies` : "not measured",
    ),
    wait("Response, nine of ten", m.latency?.p90_ms, "90% of replies were faster"),
  ];
}

/** The metrics as Markdown tables, for a bead or a review. */
export function tableOf(metrics: SessionMetrics): string {
  const lines = [
    "| Figure | Value |",
    "|---|---:|",
    ...figuresOf(metrics).map(({ name, value }) => `| ${name} | ${value} |`),
  ];
  if (metrics.tools.length > 0) {
    lines.push(
      "",
      "| Tool | Calls | Failed |",
      "|---|---:|---:|",
      ...metrics.tools.map(({ tool, calls, errors }) => `| ${tool.replaceAll("|", "\\|")} | ${calls} | ${errors} |`),
    );
  }
  return `${lines.join("\n")}\n`;
}

export function csvOf(metrics: SessionMetrics): string {
  const rows: (string | number)[][] = [
    ["figure", "value", "unit"],
    ...figuresOf(metrics).map(({ name, raw, unit }) => [name, raw, unit]),
    ...metrics.tools.flatMap(({ tool, calls, errors }) => [
      [`${tool}: calls`, calls, "calls"],
      [`${tool}: failed`, errors, "calls"],
    ]),
  ];
  return `${rows.map((row) => row.map(cell).join(",")).join("\n")}\n`;
}

function cell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
