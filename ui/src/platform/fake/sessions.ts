/** The sessions of the sample project. */
import type { Live, PermissionRequest, SessionState, SessionView } from "../../generated/api";

const MINUTE = 60_000;

interface Made {
  n: number;
  title: string;
  status: SessionView["status"];
  bead?: string;
  agent?: string;
  minutes: number;
  ago: number;
  tokens?: number;
  cost?: number;
  messages?: number;
  files?: string[];
  commits?: number;
  branch?: string;
  over?: Partial<SessionView>;
  live?: Partial<Live>;
}

const ask = (
  tool: string,
  input: Record<string, unknown>,
  now: number,
  over: Partial<PermissionRequest> = {},
): PermissionRequest => ({
  id: `ask-${tool}`,
  tool,
  input,
  subagent: null,
  lasting: [],
  ...over,
  asked_at: new Date(now - 24_000).toISOString(),
});

const PLAN = `# Rotate the signing keys without a restart

1. Keep two keys in \`KeyRing\`: the one that signs and the one before it.
2. Verify with both. A token names its key in \`kid\`, so nothing is tried twice.
3. Watch the key file and swap the ring in one step.
4. Drop the old key after 24 hours.
5. Test that a request in flight survives a rotation.
`;

/** Permission requests that only some scenes show. */
export function requestsOf(now: number): Record<"edit" | "plan" | "questions", PermissionRequest> {
  const edit = {
    file_path: "src/round/currency.rs",
    old_string: "amount.round()",
    new_string: "amount.round_half_even(2)",
  };
  const questions = [
    {
      question: "Which key store to use?",
      options: [
        { label: "File", description: "0600, beside the settings" },
        { label: "KMS", description: "one call for each rotation" },
        { label: "Vault", description: "needs its own token" },
      ],
    },
    {
      question: "What must keep working meanwhile?",
      multiSelect: true,
      options: [{ label: "Sign in" }, { label: "Refresh a token" }, { label: "Sign out everywhere" }],
    },
  ];
  return {
    edit: ask("Edit", edit, now),
    plan: ask("ExitPlanMode", { plan: PLAN }, now),
    questions: ask("AskUserQuestion", { questions }, now, { subagent: "hlstc-verifier" }),
  };
}

function rows(now: number): Made[] {
  return [
    {
      n: 1,
      title: "Implement login validation",
      status: "active",
      bead: "BC-097",
      agent: "hlstc-executor",
      minutes: 45,
      ago: 50,
      tokens: 84_120,
      cost: 1.27,
      messages: 31,
      files: ["src/auth/login.rs", "src/auth/validate.rs", "src/auth/mod.rs", "tests/login_timing.rs"],
      commits: 3,
      branch: "feat/BC-097-login",
      live: {
        activity: "waiting_permission",
        permissions: [
          ask(
            "Bash",
            {
              command: "git push --set-upstream origin feat/BC-097-login",
              description: "Publish the branch for review",
            },
            now,
            { subagent: "hlstc-verifier", lasting: [{ rule: "Bash(git push *)", holds: "in this project, for you" }] },
          ),
        ],
        model: "Opus 5.5",
        context: { tokens: 84_120, size: 200_000 },
      },
    },
    {
      n: 2,
      title: "Rotate signing keys live",
      status: "active",
      bead: "BC-104",
      agent: "hlstc-planner",
      minutes: 72,
      ago: 75,
      tokens: 52_300,
      cost: 0.93,
      messages: 18,
      branch: "fix/BC-104-rotate-signing-keys",
      live: {
        activity: "waiting_permission",
        permissions: [
          ask(
            "AskUserQuestion",
            { questions: [{ question: "Which key store to use?", options: [{ label: "File" }, { label: "KMS" }] }] },
            now,
          ),
        ],
      },
    },
    {
      n: 3,
      title: "Compare tokens by digest",
      status: "active",
      bead: "BC-111",
      agent: "hlstc-executor",
      minutes: 8,
      ago: 8,
      tokens: 12_800,
      cost: 0.21,
      messages: 9,
      branch: "chore/BC-111-digest",
      live: {
        activity: "working",
        troubles: ["The session record could not be saved: the disk is full. Retrying every few seconds."],
        held: [
          {
            id: "held-0",
            text: "Compare in constant time.",
            at: new Date(now - 90_000).toISOString(),
            state: "unconfirmed",
          },
          {
            id: "held-1",
            text: "Then run the benches, please.",
            at: new Date(now - 40_000).toISOString(),
            state: "waiting",
          },
        ],
      },
    },
    {
      n: 4,
      title: "Precedence climbing",
      status: "paused",
      bead: "BC-109",
      agent: "hlstc-executor",
      minutes: 125,
      ago: 300,
      tokens: 143_000,
      cost: 2.4,
      messages: 77,
      branch: "feat/BC-109-precedence",
      over: { pause_reason: "user" },
    },
    { n: 5, title: "Research caching options", status: "draft", minutes: 0, ago: 310 },
    {
      n: 6,
      title: "Fix auth redirect",
      status: "paused",
      bead: "BC-107",
      agent: "hlstc-executor",
      minutes: 4,
      ago: 320,
      tokens: 3_100,
      cost: 0.05,
      messages: 4,
      branch: "fix/BC-107-redirect",
      over: { pause_reason: "interrupted" },
    },
    {
      n: 7,
      title: "Reject alg none tokens",
      status: "closed",
      bead: "BC-093",
      agent: "hlstc-executor",
      minutes: 100,
      ago: 400,
      tokens: 96_412,
      cost: 1.84,
      messages: 58,
      files: [
        "src/token/verify.rs",
        "src/token/header.rs",
        "benches/verify.rs",
        "fuzz/corpus/token/alg_none",
        "fuzz/corpus/token/alg_None",
        "fuzz/corpus/token/empty",
      ],
      commits: 3,
      branch: "fix/BC-093-alg-none",
      over: { close_reason: "in_review" },
    },
    {
      n: 8,
      title: "Spans point at the right byte",
      status: "closed",
      bead: "BC-099",
      agent: "hlstc-executor",
      minutes: 52,
      ago: 480,
      tokens: 41_200,
      cost: 0.66,
      messages: 24,
      files: ["a", "b", "c", "d"],
      commits: 2,
      over: { close_reason: "user" },
    },
    {
      n: 9,
      title: "Compare tokens by digest: plan",
      status: "closed",
      bead: "BC-111",
      agent: "hlstc-planner",
      minutes: 24,
      ago: 1440,
      tokens: 28_000,
      cost: 0.41,
      messages: 12,
      files: ["a", "b"],
      over: { close_reason: "user" },
    },
    {
      n: 10,
      title: "Hash passwords with Argon2id",
      status: "closed",
      bead: "BC-082",
      agent: "hlstc-executor",
      minutes: 151,
      ago: 5760,
      tokens: 143_000,
      cost: 2.95,
      messages: 90,
      files: ["a", "b", "c", "d", "e", "f", "g", "h", "i"],
      commits: 5,
      over: { close_reason: "in_review" },
    },
    {
      n: 11,
      title: "Research timing leaks in the login path",
      status: "closed",
      agent: "hlstc-researcher",
      minutes: 36,
      ago: 5900,
      tokens: 52_000,
      cost: 0.88,
      messages: 20,
      over: { close_reason: "user" },
    },
  ];
}

export function madeSessions(now: number): SessionView[] {
  return rows(now).map((row) => made(row, now));
}

export function sessionId(n: number): string {
  return `5e55100${n.toString(16)}-0000-4000-8000-000000000000`;
}

/** A simplified form of the engine's computation of a session's state. */
export function stateOf({
  status,
  pause_reason,
  live,
}: Pick<SessionView, "status" | "pause_reason" | "live">): SessionState {
  if (status === "draft" || status === "closed") return status;
  if (status === "paused") return pause_reason === "interrupted" || pause_reason === "exited" ? pause_reason : "paused";
  if (live?.activity === "gone") return "ending";
  if (
    live &&
    (live.permissions.length > 0 || live.activity === "waiting_permission" || live.activity === "asks_at_start")
  )
    return "needs_you";
  if (!live) return "starting";
  if (live.activity === "starting" || live.activity === "dialog_open") return live.activity;
  if (live.activity !== "idle") return live.retry ? "retrying" : "active";
  if (live.held.some((held) => held.state === "waiting")) return live.hold === null ? "active" : "queued";
  return live.failure ? (live.failure.kind === "rate_limit" ? "rate_limited" : "needs_you") : "your_turn";
}

/** The fields that a new session has in common with others. */
export const NEW_SESSION = {
  schema_version: 1,
  project_id: "gatehouse",
  files_touched: [] as string[],
  commits: [] as string[],
  mode: "manual",
  claude_sessions: [],
  active_intervals: [],
  tokens: { input: 0, cache_creation: 0, cache_read: 0, output: 0 },
  duration_ms: 0,
  message_count: 0,
} satisfies Partial<SessionView>;

function made(row: Made, now: number): SessionView {
  const at = (minutes: number) => new Date(now - minutes * MINUTE).toISOString();
  const tokens = row.tokens ?? 0;
  const closed = row.status === "closed";
  const live = row.live ? liveOf(row.live) : null;
  return {
    ...NEW_SESSION,
    id: sessionId(row.n),
    status: row.status,
    created_at: at(row.ago),
    title: row.title,
    files_touched: row.files ?? [],
    commits: Array.from({ length: row.commits ?? 0 }, (_, i) => `4be19c7${i}`),
    total_tokens: tokens,
    total_duration_ms: row.minutes * MINUTE,
    active_intervals:
      row.status === "draft"
        ? []
        : [{ start: at(row.ago), ...(row.status === "active" ? {} : { end: at(row.ago - row.minutes) }) }],
    tokens: { input: 0, cache_creation: tokens, cache_read: tokens * 20, output: 0 },
    duration_ms: row.minutes * MINUTE,
    message_count: row.messages ?? 0,
    ...(row.status === "draft" ? {} : { started_at: at(row.ago), last_activated_at: at(row.ago) }),
    ...(row.status === "paused" ? { paused_at: at(row.ago - row.minutes) } : {}),
    ...(closed ? { closed_at: at(row.ago - row.minutes) } : {}),
    ...(row.bead ? { bead_id: row.bead, objective: `Work on bead ${row.bead}: ${row.title}` } : {}),
    ...(row.agent ? { agent_id: row.agent } : {}),
    ...(row.branch ? { branch: row.branch, worktree: true } : {}),
    ...(row.cost === undefined ? {} : { cost_usd: row.cost }),
    ...row.over,
    live,
    state: stateOf({ status: row.status, ...row.over, live }),
  };
}

const HOLDS: Partial<Record<Live["activity"], string>> = {
  starting: "claude is not ready yet",
  asks_at_start: "claude asks a question in its terminal; the text is sent when it is answered",
  working: "claude is working; the text is sent when the turn ends",
  waiting_permission: "claude waits for a permission; the text is sent when that is decided and the turn has ended",
  dialog_open: "a dialog is open in claude's terminal; the text is sent when it is closed there",
  unknown: "claude's terminal has new input; the text is sent when claude's input box is empty, or after its next turn",
  gone: "claude has ended; the text is sent when the session is resumed",
};

export function liveOf(over: Partial<Live>): Live {
  const activity = over.activity ?? "idle";
  const activity_since = new Date(Date.now() - 20_000).toISOString();
  return {
    host_pid: 4100,
    agent_pid: 4101,
    activity,
    model: "Opus 5.5",
    context: null,
    retry: null,
    failure: null,
    start_question: null,
    permissions: [],
    held: [],
    hooks_seen: true,
    hold: HOLDS[activity] ?? null,
    activity_since,
    troubles: [],
    unreachable_since: null,
    ...over,
  };
}
