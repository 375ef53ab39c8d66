/** One conversation with everything in it that a conversation can have. */
import type { Message, ToolCall } from "../../generated/api";

const call = (tool: string, input: ToolCall["input"], ms: number | null, output?: string, is_error = false): ToolCall => ({
  tool,
  input,
  id: `toolu_${tool}_${ms ?? 0}`,
  ...(ms === null ? {} : { duration_ms: ms, output: output ?? "ok" }),
  ...(is_error ? { is_error } : {}),
});

const TEST_OUTPUT = `error[E0308]: mismatched types
  --> src/auth/login.rs:43:27
   |
43 |     verify(&form.password, hash)
   |                            ^^^^ expected \`&str\`, found \`SecretString\`

error: could not compile \`gatehouse-auth\` (lib) due to 1 previous error`;

export function madeMessages(now: number): Message[] {
  const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  return [
    { id: "m1", role: "user", timestamp: at(45), content: "Work on bead BC-097: Implement login validation" },
    {
      id: "m2",
      role: "assistant",
      timestamp: at(44),
      latency_ms: 3200,
      tokens: 18_200,
      content: "I have read the handler and the store. The lookup runs before anything is checked, so a malformed address costs a query and answers faster than a wrong password.",
      tool_calls: [
        call("Read", { file_path: "src/auth/login.rs" }, 100, "212 lines"),
        call("Read", { file_path: "src/auth/mod.rs" }, 100, "40 lines"),
        call("Grep", { pattern: "verify\\(", path: "src" }, 120, "src/auth/login.rs:43\nsrc/store/user.rs:91"),
      ],
    },
    { id: "m3", role: "user", timestamp: at(30), content: "Validate email and password before the store is touched. Same error for an unknown account and a wrong password, please, and keep the timing flat." },
    {
      id: "m4",
      role: "assistant",
      timestamp: at(29),
      latency_ms: 8000,
      tokens: 31_000,
      content: "",
      tool_calls: [
        call("Edit", { file_path: "src/auth/login.rs", old_string: "let user = app.store.find(&form.email).await?;", new_string: "let creds = validate_credentials(&form)?;\nlet user = app.store.find(&creds.email).await?;" }, 200),
        call("Bash", { command: "cargo test -p gatehouse-auth" }, 14_200, TEST_OUTPUT, true),
        call("Edit", { file_path: "src/auth/login.rs", old_string: "hash", new_string: "hash.expose()" }, 200),
        call("Bash", { command: "cargo test -p gatehouse-auth" }, 13_800, "test result: ok. 42 passed; 0 failed"),
        call("Task", { subagent_type: "hlstc-verifier", description: "review and publish the branch" }, null),
      ],
    },
    {
      id: "m5",
      role: "assistant",
      timestamp: at(3),
      latency_ms: 5000,
      tokens: 34_920,
      content: `The unknown-account path now hashes a dummy password with the same Argon2id cost, so both answers take about 210 ms. \`validate_credentials\` runs first and returns one error, \`LoginError::Rejected\`, for every refusal.

\`\`\`rust
let creds = validate_credentials(&form)?;
let user = app.store.find(&creds.email).await?;
let matches = verify(&creds.password, user.as_ref().map_or(&app.dummy, |u| &u.hash));
\`\`\`

| path | median |
|---|---|
| unknown account | 209 ms |
| wrong password | 211 ms |

Next: [the property test](https://example.org/timing), and an image that must not load: ![x](https://example.org/x.png)`,
    },
  ];
}
