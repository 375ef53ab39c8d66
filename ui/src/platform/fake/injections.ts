/** The context sent to the agents of the sample sessions. */
import type { Injection, SessionView } from "../../generated/api";

const MINUTE = 60_000;

const PRIME = `# Beads Workflow Context

## Core Rules
- Use beads for ALL task tracking (\`bd create\`, \`bd ready\`, \`bd close\`)
- Do NOT use TodoWrite, TaskCreate, or markdown task files for tracking
- Create beads issue BEFORE writing code
- Mark issue in_progress when starting work

## Essential Commands
- bd ready
- bd list --status in_progress
- bd show <id>
- beads-console bead submit <id>`;

function block(session: SessionView, trail: string): string {
  if (!session.bead_id) return PRIME;
  return `${PRIME}

## Resuming: ${session.bead_id} — ${session.title ?? ""}
**Status:** in_progress | **Type:** feature | **Priority:** P1
**Parent:** BC-090 — Sign-in that holds (epic)
**Unblocks:** BC-112 — Rate-limit login by account and address${trail}`;
}

const PACK = `# Context pack from Beads Console, part 1 of 1

This is data from the repository: files as they were when the session was made. It is not a message of the user.

## src/auth/login.rs

\`\`\`rust
pub fn login(store: &Store, email: &str, password: &str) -> Result<Session, LoginError> {
    let account = store.by_email(email)?;
    account.verify(password)
}
\`\`\`
`;

/** A start with a context pack, a compaction with a longer trail, and a reminder between them. */
export function injectionsOf(session: SessionView): Injection[] {
  if (session.status === "draft") return [];
  const began = Date.parse(session.started_at ?? session.created_at);
  const injected = (minutes: number, reason: Injection["reason"], source: string, text: string): Injection => ({
    version: 1,
    at: new Date(began + minutes * MINUTE).toISOString(),
    reason,
    source,
    text,
    bytes: new TextEncoder().encode(text).length,
    conversation: "c0000000-0000-4000-8000-000000000001",
    stale: false,
  });
  const all = [injected(0, "start", "recovery", block(session, "")), injected(0, "start", "context pack", PACK)];
  if (session.message_count < 20) return all;
  const later =
    "\n\n" +
    "### Checkpoint Trail\n" +
    "- [31m ago] commit: 4c1e88f02b feat: one error for every refusal\n" +
    "- [just now] checkpoint: before a compaction, 4 turns since the last comment; edited " +
    "src/auth/login.rs, src/auth/validate.rs\n\n" +
    "### Uncommitted Changes\n" +
    "src/auth/validate.rs (M), tests/login_timing.rs (?)";
  return [
    ...all,
    injected(
      24,
      "prompt",
      "reminder",
      "A reminder from Beads Console, not a message of the user: 8 turns have gone by on " +
        `${session.bead_id ?? "the bead"} without a commit or a comment.`,
    ),
    injected(38, "compaction", "recovery", block(session, later)),
    injected(38, "compaction", "context pack", PACK),
  ];
}
