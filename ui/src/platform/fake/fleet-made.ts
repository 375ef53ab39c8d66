/** The sample project's fleet, as compact rows. */
import type {
  AgentIdentity,
  AgentRole,
  Convoy,
  FleetAgentNow,
  FleetAgentState,
  FleetConvoyNow,
  FleetOverview,
  FleetQueueRow,
  FleetReview,
  FleetSettings,
  MergeTrouble,
  SessionState,
} from "../../generated/api";
import { sampleCommits, sampleFiles } from "./diffs";
import { sessionId } from "./sessions";
import type { FakeState } from "./state";

const MINUTE = 60_000;

export const SETTINGS: FleetSettings = {
  state_dir: ".chipset/state",
  auto_dispatch: false,
  max_agents: 8,
  min_free_mib: 2048,
  cost_per_day_usd: 20,
  stalled_minutes: 15,
  agent: "hlstc-executor",
  mode: "acceptEdits",
  model: null,
  simulated: false,
  worktree_dir: null,
  worktree_base: "main",
  worktree_copy: [".env"],
  worktree_link: ["node_modules"],
  worktree_setup: ["npm", "ci"],
  worktree_setup_minutes: 10,
  merge_target: "main",
  merge_method: "rebase",
  merge_check: ["cargo", "test", "--workspace"],
  merge_check_minutes: 30,
  merge_push: "origin",
  merge_checked_out: "ask",
  merge_review: true,
  runners: {
    box: {
      command: ["docker", "exec", "-it", "-w", "{cwd}", "gatehouse-dev", "{program}", "{args}"],
      probe: ["docker", "exec", "gatehouse-dev", "true"],
      program: "claude",
      console: null,
    },
  },
  runner: "local",
  places: [],
};

type Row = [
  id: string,
  state: FleetAgentState,
  bead: string | null,
  session: number | null,
  minutes: number,
  last: string,
  more?: Partial<FleetAgentNow>,
];

const AGENTS: Row[] = [
  ["mayor-0c41e77ab2", "working", null, null, 200, "Dispatching Login hardening", { tokens: 61_200, cost_usd: 0.92 }],
  [
    "polecat-4f1c9a07be",
    "needs_you",
    "BC-097",
    1,
    45,
    "git push --set-upstream origin feat/BC-097-login",
    {
      reason: "wants to use Bash: git push --set-upstream origin feat/BC-097-login",
      to_do: "Allow it or deny it.",
      tokens: 84_120,
      cost_usd: 1.27,
    },
  ],
  [
    "polecat-91d20e5c3f",
    "working",
    "BC-111",
    3,
    8,
    "Bash: cargo bench --bench digest",
    { tokens: 12_800, cost_usd: 0.21, runner: "box" },
  ],
  [
    "polecat-c7730ab914",
    "silent",
    "BC-109",
    4,
    125,
    "Thinking about left-associative operators",
    {
      reason: "no activity for 22m",
      to_do: "Check its terminal, interrupt it, or reassign its work.",
      tokens: 143_000,
      cost_usd: 2.4,
    },
  ],
  [
    "witness-2b9fd4108c",
    "at_prompt",
    null,
    null,
    200,
    "Watching 3 agents, last check 4 min ago",
    { tokens: 20_400, cost_usd: 0.31 },
  ],
  [
    "refinery-7e55c01d9a",
    "at_prompt",
    "BC-093",
    null,
    6,
    "The merge of BC-093 stopped on a conflict",
    { tokens: 8_100, cost_usd: 0.12 },
  ],
  ["polecat-e80b6f2211", "idle", null, null, 0, ""],
  ["crew-mira", "idle", null, null, 0, ""],
];

/** Display names; three agents have roles that only other programs use. */
const NAMES: Record<string, string> = {
  "mayor-0c41e77ab2": "Mayor 0c41",
  "polecat-4f1c9a07be": "Agent 1",
  "polecat-91d20e5c3f": "Agent 2",
  "polecat-c7730ab914": "Agent 3",
  "witness-2b9fd4108c": "Witness 2b9f",
  "refinery-7e55c01d9a": "Refinery 7e55",
  "polecat-e80b6f2211": "Agent 4",
  "crew-mira": "Mira",
};

export function madeAgents(state: FakeState): FleetAgentNow[] {
  const wanted = Number(state.options.get("agents") ?? 0);
  const many = Array.from({ length: wanted }, (_, i): Row => [
    `polecat-${(0xa0000000 + i * 7919).toString(16)}`,
    i % 3 ? "working" : "idle",
    i % 3 ? `BC-${1000 + i}` : null,
    null,
    i,
    i % 3 ? "Bash: cargo test" : "",
  ]);
  return [...AGENTS, ...many].map((row) => agentOf(state, row));
}

/** The session state for an agent's state; absent if the agent has no session. */
const SESSION_STATES: Partial<Record<FleetAgentState, SessionState>> = {
  starting: "starting",
  working: "active",
  at_prompt: "your_turn",
  needs_you: "needs_you",
  rate_limited: "rate_limited",
  silent: "active",
  paused: "paused",
  interrupted: "interrupted",
};

function agentOf(state: FakeState, [id, is, bead, session, minutes, last, more]: Row): FleetAgentNow {
  const at = new Date(state.now - 4 * MINUTE).toISOString();
  return {
    identity: identityOf(id, is),
    name: NAMES[id] ?? `Agent ${id.slice(-4)}`,
    state: is,
    session_state: SESSION_STATES[is] ?? null,
    limited_until: is === "rate_limited" ? new Date(state.now + 40 * MINUTE).toISOString() : null,
    reason: null,
    to_do: null,
    hook: bead ? "active" : "empty",
    bead,
    title: bead ? (state.bead(bead)?.title ?? null) : null,
    bead_status: bead ? "in_progress" : null,
    session_id: session === null ? null : sessionId(session),
    branch: null,
    since: is === "idle" ? null : at,
    active_ms: minutes * MINUTE,
    tokens: null,
    cost_usd: null,
    last_line: last || null,
    last_at: last ? at : null,
    runner: "local",
    simulated: false,
    ...more,
  };
}

export function identityOf(id: string, state: FleetAgentState): AgentIdentity {
  const status =
    state === "idle"
      ? "idle"
      : state === "terminated"
        ? "terminated"
        : ["starting", "working", "at_prompt"].includes(state)
          ? "active"
          : "stalled";
  return { id, role: id.split("-")[0] as AgentRole, rig: "gatehouse", hookId: `hook-${id}`, status };
}

const NO_BEADS: FleetConvoyNow["counts"] = {
  merged: 0,
  done: 0,
  in_review: 0,
  conflicted: 0,
  in_progress: 0,
  hooked: 0,
  ready: 0,
  blocked: 0,
  put_off: 0,
  missing: 0,
};

export interface SampleConvoy {
  convoy: Convoy;
  now: FleetConvoyNow;
}

export function convoyOf(
  id: string,
  name: string,
  created: string,
  beadIds: string[],
  counts: Partial<FleetConvoyNow["counts"]>,
  stranded: FleetConvoyNow["stranded"] = [],
): SampleConvoy {
  const all = { ...NO_BEADS, ...counts };
  const progress = (all.merged + all.done) / Math.max(1, beadIds.length);
  return {
    convoy: { id, name, beadIds, progress, createdAt: created },
    now: {
      id,
      name,
      created_at: created,
      closed_at: null,
      total: beadIds.length,
      progress,
      counts: all,
      stranded,
      stranded_total: stranded.length,
    },
  };
}

export function madeConvoys(now: number): SampleConvoy[] {
  const rows: {
    name: string;
    beads: string[];
    counts: Partial<FleetConvoyNow["counts"]>;
    stranded?: FleetConvoyNow["stranded"];
  }[] = [
    {
      name: "Login hardening",
      beads: ["BC-082", "BC-093", "BC-097", "BC-104", "BC-107", "BC-111", "BC-112", "BC-118", "BC-121"],
      counts: { merged: 5, in_progress: 2, conflicted: 1, blocked: 1 },
      stranded: [
        {
          bead: "BC-107",
          title: "Redirect after login drops the query string",
          why: "dv/5e551005 has it, and no session works on it",
        },
      ],
    },
    {
      name: "Policy language v2",
      beads: [
        "BC-080",
        "BC-085",
        "BC-088",
        "BC-099",
        "BC-101",
        "BC-109",
        "BC-115",
        "BC-119",
        "BC-123",
        "BC-126",
        "BC-127",
        "BC-128",
        "BC-129",
        "BC-130",
      ],
      counts: { merged: 11, in_progress: 1, blocked: 2 },
    },
    {
      name: "Audit and limits",
      beads: ["BC-076", "BC-102", "BC-112", "BC-129", "BC-128"],
      counts: { merged: 1, in_progress: 1, ready: 3 },
    },
  ];
  return rows.map(({ name, beads, counts, stranded }, i) => {
    const created = new Date(now - (3 - i) * 864e5).toISOString();
    return convoyOf(`convoy-${"0a1b2c"[i]}4d5e6f7`, name, created, beads, counts, stranded);
  });
}

export function madeQueue(now: number, merging: boolean): FleetQueueRow[] {
  const at = (minutes: number) => new Date(now - minutes * MINUTE).toISOString();
  const trouble: MergeTrouble = {
    kind: "conflict",
    text: "fix/BC-093-alg-none and main both changed 2 files",
    hint: "send it back to its agent, or resolve it on the branch, then retry",
    files: [
      { path: "src/token/verify.rs", conflicts: 2 },
      { path: "Cargo.lock", conflicts: 1 },
    ],
    output:
      "Auto-merging src/token/header.rs\n" +
      "CONFLICT (content): Merge conflict in src/token/verify.rs\n" +
      "CONFLICT (content): Merge conflict in Cargo.lock\n" +
      "error: could not apply 4be19c7... reject alg none tokens",
    at: at(1),
  };
  const row = (
    n: number,
    bead: string,
    title: string,
    source: string,
    more: Partial<FleetQueueRow>,
  ): FleetQueueRow => ({
    id: `merge-${n}f00ba7`,
    bead,
    title,
    source,
    target: "main",
    status: "pending",
    stage: null,
    queued_at: at(20 - n),
    since: null,
    skipped: false,
    trouble: null,
    commit: null,
    note: null,
    session: null,
    agent: "polecat-91d20e5c3f",
    ...more,
  });
  return [
    row(
      1,
      "BC-093",
      "Reject alg none tokens",
      "fix/BC-093-alg-none",
      merging
        ? { status: "merging", stage: "check", since: at(0.4), session: sessionId(7) }
        : { status: "conflicted", since: at(1), session: sessionId(7), trouble },
    ),
    row(2, "BC-099", "Spans point at the right byte", "fix/BC-099-spans", { session: sessionId(8) }),
    row(3, "BC-102", "Trim the audit log on rotation", "chore/BC-102-audit-trim", {}),
    row(4, "BC-088", "Parse duration and size literals", "feat/BC-088-literals", {
      status: "merged",
      since: at(17),
      commit: "9d2c1f04be19c70e5c3f91d20a07be4f1c9a07be",
    }),
    row(5, "BC-085", "Nested comments end at the first marker", "fix/BC-085-comments", {
      status: "merged",
      since: at(95),
      commit: "51e07b9e2211e80b6f4108c2b9fd41c0aab9147e",
      note: "not pushed: origin has newer commits on main; fetch them first",
    }),
  ];
}

export const OUTPUT = `12:04:02 merge    fix/BC-093-alg-none into main
12:04:03 rebase   fix/BC-093-alg-none (4be19c70) onto main (9d2c1f04)
Auto-merging src/token/header.rs
Auto-merging src/token/verify.rs
CONFLICT (content): Merge conflict in src/token/verify.rs
Auto-merging Cargo.lock
CONFLICT (content): Merge conflict in Cargo.lock
error: could not apply 4be19c7... reject alg none tokens
12:04:04 blocked  fix/BC-093-alg-none and main both changed 2 files
`;
export const CHECKING = `12:04:02 merge    fix/BC-093-alg-none into main
12:04:03 rebase   fix/BC-093-alg-none (4be19c70) onto main (9d2c1f04)
12:04:04 check    cargo test --workspace
   Compiling gatehouse-token v0.4.2
   Compiling gatehouse-auth v0.9.0
    Finished test profile in 21.4s
     Running unittests src/lib.rs
test verify::alg_none_is_refused ... ok
test verify::expired_is_refused ... ok
test verify::skew_is_allowed ... ok
`;

export function reviewOf(
  state: FakeState,
  bead: string,
  request: FleetQueueRow | null,
  ignore_space = false,
): FleetReview {
  const at = new Date(state.now - 50 * MINUTE).toISOString();
  const session = state.sessions.find((s) => s.bead_id === bead);
  return {
    bead,
    title: state.bead(bead)?.title ?? bead,
    bead_status: "in_review",
    source: request?.source ?? session?.branch ?? `feat/${bead}`,
    tip: "4be19c70e5c3f91d20a07be4f1c9a07be9d2c1f0",
    target: "main",
    commits: sampleCommits(at, at),
    behind: 2,
    files: sampleFiles(ignore_space),
    cut: false,
    uncommitted: ["notes.txt"],
    session: session?.id ?? null,
    agent: request?.agent ?? null,
    request,
  };
}

export function dispatchOf(
  agents: readonly FleetAgentNow[],
  settings: FleetSettings,
  paused: boolean,
): FleetOverview["dispatch"] {
  const count = (...states: FleetAgentState[]) => agents.filter((agent) => states.includes(agent.state)).length;
  const working = agents.length - count("idle", "terminated", "paused", "interrupted");
  const idle = count("idle");
  return {
    auto: settings.auto_dispatch,
    paused,
    starting: count("starting"),
    working,
    max_agents: settings.max_agents,
    idle,
    free_mib: 6350,
    min_free_mib: settings.min_free_mib,
    cost_today_usd: 5.23,
    cost_per_day_usd: settings.cost_per_day_usd,
    why_not: paused
      ? "Everything is paused."
      : working >= settings.max_agents
        ? `All ${working} agent slots are in use.`
        : idle === 0
          ? "No idle agent is available."
          : null,
  };
}
