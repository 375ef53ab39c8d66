/** The conversations of the fake sessions. */
import type { Message, ToolCall } from "../../generated/api";

let calls = 0;
const call = (
  tool: string,
  input: ToolCall["input"],
  ms: number | null,
  output?: string,
  is_error = false,
): ToolCall => ({
  tool,
  input,
  id: `toolu_${++calls}`,
  ...(ms === null ? {} : { duration_ms: ms, output: output ?? "ok" }),
  ...(is_error ? { is_error } : {}),
});

const TEST_OUTPUT = `Exit code 101
error[E0308]: mismatched types
  --> src/auth/login.rs:43:27
   |
43 |     verify(&form.password, hash)
   |                            ^^^^ expected \`&str\`, found \`SecretString\`

error: could not compile \`gatehouse-auth\` (lib) due to 1 previous error`;

const OLD = `pub async fn login(
    State(app): State<App>,
    Form(form): Form<LoginForm>,
) -> Result<Session, LoginError> {
    let user = app.store.find(&form.email).await?;
    if !verify(&form.password, &user.hash) {
        return Err(LoginError::WrongPassword);
    }
    app.sessions.open(&user).await
}`;
const NEW = `pub async fn login(
    State(app): State<App>,
    Form(form): Form<LoginForm>,
) -> Result<Session, LoginError> {
    let creds = validate_credentials(&form)?;
    let user = app.store.find(&creds.email).await?;
    let hash = user.as_ref().map_or(&app.dummy, |u| &u.hash);
    let matches = verify(&creds.password, hash);
    let Some(user) = user.filter(|_| matches) else {
        return Err(LoginError::Rejected);
    };
    app.sessions.open(&user).await
}`;

/** The text streamed after {@link madeMessages}, and its message ID. */
export const WRITING = {
  id: "m6",
  text:
    "The unknown-account path now hashes a dummy password with the same Argon2id cost, so both answers " +
    "take about 210 ms. `validate_credentials` runs first and returns one error, `LoginError::Rejected`, " +
    "for every refusal. While the verifier works I am adding the property test that compares the two",
};

export function madeMessages(now: number): Message[] {
  const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  return [
    { id: "m1", role: "user", timestamp: at(75), content: "Work on bead BC-097: Implement login validation" },
    {
      id: "m2",
      role: "assistant",
      timestamp: at(74),
      latency_ms: 4200,
      tokens: 18_200,
      content: "I start with the handler and the store.",
      tool_calls: [
        call("Read", { file_path: "src/auth/login.rs" }, 100, "212 lines"),
        call("Grep", { pattern: "verify\\(", path: "src" }, 120, "src/auth/login.rs:43\nsrc/store/user.rs:91"),
      ],
    },
    {
      id: "m3",
      role: "assistant",
      timestamp: at(28),
      latency_ms: 3200,
      tokens: 18_200,
      content:
        "I have read the handler and the store. The lookup runs before anything is checked, so a malformed " +
        "address costs a query and answers faster than a wrong password.",
    },
    {
      id: "m4",
      role: "user",
      timestamp: at(20),
      content:
        "Validate email and password before the store is touched. Same error for an unknown account and a " +
        "wrong password, please, and keep the timing flat.",
    },
    {
      id: "m5",
      role: "assistant",
      timestamp: new Date(now - 66_000).toISOString(),
      latency_ms: 8000,
      tokens: 31_000,
      content: "",
      tool_calls: [
        ...["login", "mod", "validate", "session"].map((name) =>
          call("Read", { file_path: `src/auth/${name}.rs` }, 100, "212 lines"),
        ),
        call("Edit", { file_path: "src/auth/login.rs", old_string: OLD, new_string: NEW }, 200),
        call("Bash", { command: "cargo test -p gatehouse-auth" }, 14_200, TEST_OUTPUT, true),
        call(
          "Edit",
          {
            file_path: "src/auth/login.rs",
            old_string: "    let matches = verify(&creds.password, hash);",
            new_string: "    let matches = verify(&creds.password, hash.expose());\n    drop(creds);",
          },
          200,
        ),
        call(
          "Bash",
          { command: "cargo test -p gatehouse-auth" },
          13_800,
          "running 42 tests\n" +
            "..........................................\n" +
            "test result: ok. 42 passed; 0 failed; finished in 13.62s",
        ),
        call(
          "Task",
          {
            subagent_type: "hlstc-verifier",
            description: "review and publish the branch",
            prompt: "Review the branch, then push it.",
          },
          null,
        ),
      ],
    },
  ];
}

/** Messages of most kinds, for a paused session. */
export function madeKinds(now: number): Message[] {
  const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  return [
    ...madeMessages(now - 280 * 60_000),
    {
      id: "k0",
      role: "assistant",
      timestamp: at(299),
      content: "",
      subagent: "a944eed0037549af6",
      tool_calls: [
        call("Read", { file_path: "src/auth/login.rs" }, 90, "230 lines"),
        call("Bash", { command: "git diff main --stat" }, 60, "4 files changed"),
      ],
    },
    {
      id: "k0b",
      role: "assistant",
      timestamp: at(298),
      content: "The branch does what the bead asks. Both refusals take the same path.",
      subagent: "a944eed0037549af6",
    },
    { id: "k1", role: "user", kind: "local_command", timestamp: at(290), content: "/model opus" },
    {
      id: "k2",
      role: "system",
      kind: "local_command",
      timestamp: at(290),
      content: "Set model to opus (claude-opus-4-8)",
    },
    {
      id: "k3",
      role: "system",
      kind: "api_error",
      timestamp: at(280),
      content: "API Error: 529 Overloaded. Retried 10 times.",
    },
    { id: "k4", role: "user", timestamp: at(270), content: "Go on, and say what the benches show." },
    {
      id: "k5",
      role: "assistant",
      timestamp: at(268),
      content: `Both paths are within the noise:

\`\`\`rust
let creds = validate_credentials(&form)?;
let user = app.store.find(&creds.email).await?;
let matches = verify(&creds.password, user.as_ref().map_or(&app.dummy, |u| &u.hash));
\`\`\`

| path | median |
|---|---|
| unknown account | 209 ms |
| wrong password | 211 ms |

1. A malformed address never reaches the store.
2. The dummy hash costs what a real one does.

> The bench runs each path 200 times.

Next: [the property test](https://example.org/timing), and an image that must not load: \
![a chart](https://example.org/x.png). <script>alert(1)</script> and [a trap](javascript:alert(1)) are text.`,
    },
    { id: "k6", role: "system", kind: "compaction", timestamp: at(250), content: "Conversation compacted" },
    {
      id: "k7",
      role: "system",
      kind: "compaction_summary",
      timestamp: at(250),
      content:
        "This session is being continued from a previous conversation.\n\n" +
        "- The login handler validates before it looks anything up.\n" +
        "- All 42 tests pass.",
    },
    { id: "k8", role: "system", timestamp: at(240), content: "A background task ended: cargo bench --bench verify" },
    {
      id: "k9",
      role: "assistant",
      timestamp: at(239),
      content: "",
      tool_calls: [
        call("Write", { file_path: "tests/login_timing.rs", content: NEW }, 120),
        call("Bash", { command: "cargo test --test login_timing" }, null),
      ],
    },
    {
      id: "k10",
      role: "system",
      kind: "interrupted",
      timestamp: at(238),
      content: "Request interrupted by user for tool use",
    },
  ];
}

/** A conversation of `many` messages. */
export function madeMany(now: number, many: number): Message[] {
  return Array.from({ length: many }, (_, i): Message => {
    const timestamp = new Date(now - (many - i) * 20_000).toISOString();
    if (i % 5 === 0)
      return {
        id: `l${i}`,
        role: "user",
        timestamp,
        content: `Question ${i / 5 + 1}: what does \`validate_credentials\` do with an empty address?`,
      };
    const long = i % 7 === 0 ? "\n\n```rust\nlet creds = validate_credentials(&form)?;\n```" : "";
    return {
      id: `l${i}`,
      role: "assistant",
      timestamp,
      content:
        i % 5 === 2
          ? ""
          : `Message ${i}. It is refused before the store is touched, ` +
            `and the refusal costs what a wrong password costs.${long}`,
      ...(i % 5 < 3
        ? { tool_calls: [call("Bash", { command: `cargo test case_${i}` }, 1400 + i, `test result: ok. ${i} passed`)] }
        : {}),
    };
  });
}
