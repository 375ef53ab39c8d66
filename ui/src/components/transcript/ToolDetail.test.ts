import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import type { Component } from "svelte";
import { afterEach, expect, it, vi } from "vitest";
import type { ShellOutput, ToolCall } from "../../generated/api";
import WithSessionData from "../../testing/WithSessionData.svelte";
import type { SessionData } from "./session-data";
import ToolDetail from "./ToolDetail.svelte";

afterEach(cleanup);

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
  expect(screen.getByLabelText("Command").textContent).toContain("⟨U+202E⟩");
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

it("a long file is truncated until the user expands it", async () => {
  const output = Array.from({ length: 200 }, (_, i) => `${i + 1}\tline ${i + 1}`).join("\n");
  show({ tool: "Read", input: { file_path: "a.txt" }, output });
  expect(screen.queryByText("line 200")).toBeNull();
  await fireEvent.click(screen.getByRole("button", { name: "Show all 200 lines" }));
  await waitFor(() => expect(screen.getByText("line 200")).toBeTruthy());
});

function withData(call: Partial<ToolCall>, data: Partial<SessionData>, running = false) {
  const none = () => Promise.reject(new Error("not recorded"));
  return render(WithSessionData, {
    props: {
      tested: ToolDetail as unknown as Component<Record<string, unknown>>,
      props: { call: { tool: "Bash", input: {}, id: "t1", ...call }, alone: true, running },
      data: { image: none, output: none, live: () => true, whole: none, resend: null, ...data },
    },
  });
}

it("the output of a running command grows while it is shown, and stays when its file is gone", async () => {
  const answers: ShellOutput[] = [
    { text: `${ESC}[32mone${ESC}[0m\n`, omitted: 0 },
    { text: "one\ntwo\n", omitted: 0 },
    { text: null, omitted: 0 },
  ];
  const asked: (string | null)[] = [];
  const output = (background: string | null) => {
    asked.push(background);
    return Promise.resolve(answers[asked.length - 1] ?? { text: null, omitted: 0 });
  };
  vi.useFakeTimers();
  try {
    const { unmount } = withData({ input: { command: "make" } }, { output }, true);
    await vi.advanceTimersByTimeAsync(0);
    expect(screen.getByLabelText("Output so far").textContent).toBe("one\n");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(screen.getByLabelText("Output so far").textContent).toBe("one\ntwo\n");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(screen.getByLabelText("Output so far").textContent).toBe("one\ntwo\n");
    unmount();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(asked).toEqual([null, null, null]);
  } finally {
    vi.useRealTimers();
  }
});

it("a background command shows its own output, and says when Claude no longer keeps it", async () => {
  const asked: (string | null)[] = [];
  const output = (background: string | null) => {
    asked.push(background);
    return Promise.resolve({ text: null, omitted: 0 });
  };
  withData({ output: "Command running in background", details: { background: "b1" } }, { output, live: () => false });
  await waitFor(() => expect(screen.getByText("Claude no longer keeps this output.")).toBeTruthy());
  expect(asked).toEqual(["b1"]);
});

it("an image is drawn from the session's data; one that was not recorded is named", async () => {
  const image = (name: string) =>
    name.startsWith("a") ? Promise.resolve({ media: "image/png", data: "AAAA" }) : Promise.reject(new Error("gone"));
  const images = [
    { name: "a0.png", bytes: 3 },
    { name: "b0.png", bytes: 2048 },
  ];
  const { container } = withData({ tool: "Read", output: "[image: image/png, 1 KB]", details: { images } }, { image });
  await waitFor(() => expect(container.querySelector("img")?.getAttribute("src")).toBe("data:image/png;base64,AAAA"));
  expect(screen.getByText("Image, 2 KB, not recorded")).toBeTruthy();
});
