/** A conversation with calls of the tools that have their own views, and the output of a running command. */
import type { Message, ToolCall } from "../../generated/api";

/** A small picture of a form. */
export const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAMgAAABuCAIAAADtf8s6AAABKElEQVR42u3asQnAIBCGUQdJk94dskcmSOVMTuYCQqoM4AzCSUAe" +
  "fBMcrzr+dJcqhZecQAthHWeWQgJLYAksgQWWwBJYAgssgSWwBBZYAktgCSywBJbAElguIrAElsCSwBJYAmuu/n7aOLAElsACCyyw" +
  "BJbAAgsssASWwAILLLAElsACCyywBJbAAgssQz9ZkAosCSyBJbAksASWwPIg9SAFS2AJLLDAAktgCSywwAJLYAkssMACS2AJLKcH" +
  "CyyBJbAElqGfLEgFlgSWwBJYElgCS2BJYAksgSXFwLqepo0DS2AJLLDAAktgCSywwAJLYAkssMACS2AJLLDAAktgCSywwDL0kwWp" +
  "wJLAElgCSwJLYAksCSyBJbAksASWwJLA0n+wpNjA0pIGxSDwZ5ZIevUAAAAASUVORK5CYII=";

const ESC = "\u001b";
let calls = 0;
const call = (
  tool: string,
  input: ToolCall["input"],
  output: string | null,
  more: Partial<ToolCall> = {},
): ToolCall => ({
  tool,
  input,
  id: `toolu_view_${++calls}`,
  ...(output === null ? {} : { output, duration_ms: 240 }),
  ...more,
});

export function shellOutput(background: string | null): string {
  return background === null
    ? `   Compiling gatehouse-auth v0.4.0\n${ESC}[1;32m    Finished${ESC}[0m test profile\nrunning 42 tests\n.......`
    : `${ESC}[32mready${ESC}[0m in 312 ms\n  Local: http://localhost:5173/\n`;
}

export function madeToolViews(now: number): Message[] {
  const at = (seconds: number) => new Date(now - seconds * 1000).toISOString();
  const said = (id: string, seconds: number, ...tool_calls: ToolCall[]): Message => ({
    id,
    role: "assistant",
    timestamp: at(seconds),
    content: "",
    tool_calls,
  });
  const agent = (id: string, seconds: number, more: Partial<Message>): Message => ({
    id,
    role: "assistant",
    timestamp: at(seconds),
    content: "",
    subagent: "a5f0",
    ...more,
  });
  return [
    {
      id: "v1",
      role: "user",
      timestamp: at(600),
      content: "[Image #1] The login form looks like this.",
      images: [{ name: "709e80c88487a2411e1ee4dfb9f22a86.png", bytes: 118 }],
    },
    said(
      "v2",
      590,
      call("TaskCreate", { subject: "Read the key loader" }, "Task #1 created successfully: Read the key loader"),
      call("TaskCreate", { subject: "Test two live keys" }, "Task #2 created successfully: Test two live keys"),
      call("TaskCreate", { subject: "Document the command" }, "Task #3 created successfully: Document the command"),
      call("TaskUpdate", { taskId: "1", status: "completed" }, "Updated task #1 status"),
      call("TaskUpdate", { taskId: "2", status: "in_progress" }, "Updated task #2 status"),
    ),
    said(
      "v3",
      560,
      call(
        "Bash",
        { command: "cargo test -p gatehouse-auth", description: "Run the tests" },
        `Exit code 101\nrunning 2 tests\ntest login ... ${ESC}[32mok${ESC}[0m\n` +
          `test timing ... ${ESC}[31mFAILED${ESC}[0m\n\n${ESC}[1mfailures:${ESC}[0m\n` +
          `    timing: expected 210 ms, found ${ESC}[33m340 ms${ESC}[0m`,
        { is_error: true },
      ),
      call(
        "Read",
        { file_path: "src/auth/login.rs" },
        "    41\tpub async fn login(\n    42\t    State(app): State<App>,",
      ),
      call(
        "Edit",
        { file_path: "src/auth/login.rs", old_string: "    verify(&a, b)", new_string: "    verify(&a, b.expose())" },
        "The file has been updated.",
        {
          details: {
            patch: [
              {
                old_start: 42,
                new_start: 42,
                lines: ["     let user = find();", "-    verify(&a, b)", "+    verify(&a, b.expose())", " }"],
              },
            ],
          },
        },
      ),
      call(
        "Grep",
        { pattern: "verify\\(", output_mode: "content" },
        "src/auth/login.rs:43:    verify(&a, b.expose())\nsrc/store/user.rs:91:    verify(&form, hash)",
      ),
      call("Glob", { pattern: "src/**/*.rs" }, "src/auth/login.rs\nsrc/auth/mod.rs\nsrc/store/user.rs"),
      call(
        "WebFetch",
        { url: "https://example.org/argon2", prompt: "Which cost is advised?" },
        "A cost of **19 MiB**.",
      ),
      call(
        "WebSearch",
        { query: "argon2 timing" },
        'Web search results for query: "argon2 timing"\n\nLinks: [{"title":"Argon2","url":"https://example.org/a"},' +
          '{"title":"A trap","url":"javascript:alert(1)"}]\n\nBoth paths cost the same.',
      ),
      call("mcp__github__search_issues", { query: "timing", state: "open" }, '{"total":1,"items":[{"number":12}]}'),
      call("Skill", { skill: "release", args: "0.5.0" }, "Launching skill: release"),
      call(
        "Bash",
        { command: "npm run dev", run_in_background: true },
        "Command running in background with ID: bkhs9sw4f. Output is being written to: /tmp/tasks/bkhs9sw4f.output",
        { details: { background: "bkhs9sw4f" } },
      ),
      call("Task", { subagent_type: "verifier", description: "review", prompt: "Review the branch." }, "Looks right.", {
        details: { subagent: "a5f0" },
      }),
    ),
    agent("a1", 550, { role: "user", content: "Review the branch." }),
    agent("a2", 548, { tool_calls: [call("Bash", { command: "git diff main --stat" }, "4 files changed")] }),
    agent("a3", 540, { content: "The branch does what the bead asks." }),
    said("v4", 60, call("Bash", { command: "cargo test --workspace" }, null)),
  ];
}
