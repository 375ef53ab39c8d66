import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, it } from "vitest";
import type { ToolCall } from "../../generated/api";
import ToolDetail from "./ToolDetail.svelte";

const ESC = "\u001b";
const show = (call: Partial<ToolCall>, running = false) =>
  render(ToolDetail, { props: { call: { tool: "Bash", input: {}, id: "t1", ...call }, alone: true, running } });

it("a failed command shows its command, exit code and coloured output", () => {
  const { container } = show({
    input: { command: "cargo test" },
    output: `Exit code 101\n${ESC}[31mFAILED${ESC}[0m timing`,
    is_error: true,
  });
  expect(screen.getByLabelText("Command").textContent).toBe("$ cargo test");
  expect(screen.getByText("Exit code 101")).toBeTruthy();
  expect(container.querySelector(".ansi-red")?.textContent).toBe("FAILED");
  expect(screen.getByLabelText("Output").textContent).toBe("FAILED timing");
});

it("hidden characters of a command are shown", () => {
  show({ input: { command: "rm \u202e-rf" }, output: "" });
  expect(screen.getByLabelText("Command").textContent).toContain("\\u{202e}");
});

it("an edit shows the lines' own numbers", () => {
  const { container } = show({
    tool: "Edit",
    input: { file_path: "a.rs", old_string: "x", new_string: "y" },
    output: "ok",
    details: { patch: [{ old_start: 41, new_start: 43, lines: [" a", "-b", "+c", "+d"] }] },
  });
  const numbers = [...container.querySelectorAll(".number")].map(({ textContent }) => textContent);
  expect(numbers).toEqual(["43", "42", "44", "45"]);
});

it("a search links only to the web", () => {
  show({
    tool: "WebSearch",
    input: { query: "q" },
    output: 'Links: [{"title":"Good","url":"https://example.org"},{"title":"Trap","url":"javascript:alert(1)"}]',
  });
  expect(screen.getAllByRole("link").map(({ textContent }) => textContent)).toEqual(["Good"]);
  expect(screen.getByText("Trap")).toBeTruthy();
});

it("a call of an MCP server shows server, tool, arguments and indented output", () => {
  show({ tool: "mcp__github__search_issues", input: { query: "timing", labels: ["a"] }, output: '{"total":1}' });
  expect(screen.getByText("github")).toBeTruthy();
  expect(screen.getByText("search_issues")).toBeTruthy();
  expect(screen.getByLabelText("Arguments").textContent).toContain("timing");
  expect(screen.getByLabelText("Output").textContent).toBe('{\n  "total": 1\n}');
});

it("a long file is cut until it is asked for", async () => {
  const output = Array.from({ length: 200 }, (_, i) => `${i + 1}\tline ${i + 1}`).join("\n");
  show({ tool: "Read", input: { file_path: "a.txt" }, output });
  expect(screen.queryByText("line 200")).toBeNull();
  await fireEvent.click(screen.getByRole("button", { name: "Show all 200 lines" }));
  await waitFor(() => expect(screen.getByText("line 200")).toBeTruthy());
});
