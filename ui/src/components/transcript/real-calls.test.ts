/** Tests the tool views with real transcripts of Claude Code. */
import { render, screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import type { ToolCall } from "../../generated/api";
import { patchOf } from "./change";
import { foundFiles, readLines, searchPages, taskOutput } from "./tool-output";
import ToolDetail from "./ToolDetail.svelte";

const FOLDER = "../../../../src-tauri/crates/claude/samples";
const SAMPLES: Record<string, string> = import.meta.glob("../../../../src-tauri/crates/claude/samples/*.jsonl", {
  query: "?raw",
  import: "default",
  eager: true,
});

interface Block {
  type: string;
  id?: string;
  name?: string;
  input?: ToolCall["input"];
  tool_use_id?: string;
  content?: string | { type: string; text?: string }[];
  is_error?: boolean;
}

interface Line {
  message?: { content?: string | Block[] };
  toolUseResult?: { structuredPatch?: { oldStart: number; newStart: number; lines: string[] }[] };
}

/** The calls with their results, paired as in the Rust decoder. */
function callsIn(name: string): ToolCall[] {
  const text = SAMPLES[`${FOLDER}/${name}`] ?? "";
  const calls = new Map<string, ToolCall>();
  for (const line of text.split("\n").filter(Boolean)) {
    const entry = JSON.parse(line) as Line;
    const content = entry.message?.content;
    for (const block of Array.isArray(content) ? content : []) {
      if (block.type === "tool_use" && block.id)
        calls.set(block.id, { tool: block.name ?? "", input: block.input ?? {}, id: block.id });
      const call = block.type === "tool_result" ? calls.get(block.tool_use_id ?? "") : undefined;
      if (!call) continue;
      const parts =
        typeof block.content === "string" ? [block.content] : (block.content ?? []).map((b) => b.text ?? "");
      Object.assign(call, { output: parts.join("\n\n"), is_error: block.is_error === true });
      const patch = entry.toolUseResult?.structuredPatch ?? [];
      call.details = {
        patch: patch.map(({ oldStart, newStart, lines }) => ({ old_start: oldStart, new_start: newStart, lines })),
      };
    }
  }
  return [...calls.values()];
}

const CALLS = ["long.jsonl", "tool-heavy.jsonl", "interactive.jsonl", "subagent.jsonl"].flatMap(callsIn);
const done = (tool: string) =>
  CALLS.filter((call) => call.tool === tool && call.output !== undefined && call.is_error !== true);

describe("real tool calls", () => {
  it("are read by the view of their tool", () => {
    const counts = {
      Read: done("Read").filter(({ output = "" }) => (readLines(output)?.length ?? 0) > 0).length,
      Search: [...done("Grep"), ...done("Glob")].filter((call) => foundFiles(call) !== null).length,
      Edit: done("Edit").filter((call) => (patchOf(call)?.length ?? 0) > 0).length,
      Task: done("TaskOutput").filter(({ output = "" }) => taskOutput(output) !== null).length,
      Web: done("WebSearch").filter(({ output = "" }) => searchPages(output).pages.length > 0).length,
    };
    expect(counts).toEqual({
      Read: done("Read").length,
      Search: done("Grep").length + done("Glob").length,
      Edit: done("Edit").length,
      Task: done("TaskOutput").length,
      Web: done("WebSearch").length,
    });
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
  });

  it("are all drawn, with their output", () => {
    for (const call of CALLS) {
      const { unmount, container } = render(ToolDetail, { props: { call, alone: true } });
      expect(container.textContent.trim(), call.tool).not.toBe("");
      unmount();
    }
    expect(screen.queryByText("undefined")).toBeNull();
    expect(CALLS.length).toBeGreaterThan(100);
  });
});
