/** UI text for agents, convoys and merges. Pure. */
import type {
  AgentRole,
  FleetAgentNow,
  FleetEvent,
  FleetConvoyCounts,
  FleetRecovery,
  MergeStage,
  TroubleKind,
} from "../generated/api";
import { stateMark, stateWord, type Mark } from "./session";
import { oneLine } from "./text";

/** Roles that a new agent can have. The file format has more roles, which are only displayed. */
export const ROLES: { role: AgentRole; name: string; description: string }[] = [
  { role: "polecat", name: "Agent", description: "takes ready beads one after another" },
  { role: "crew", name: "Crew", description: "works only on beads that you assign" },
];

/** The display name of an agent, on one line. */
export function agentName({ name }: Pick<FleetAgentNow, "name">): string {
  return oneLine(name);
}

/** The fields that decide how a row shows an agent. */
type Shown = Pick<FleetAgentNow, "state"> & Partial<Pick<FleetAgentNow, "session_state" | "limited_until" | "hook">>;

export function agentMark({ state, session_state, hook }: Shown): Mark {
  if (session_state && state !== "terminated") return stateMark(session_state);
  if (state === "idle" && hook === "pending") return "queued";
  switch (state) {
    case "needs_you":
      return "needs";
    case "starting":
    case "working":
      return "active";
    case "at_prompt":
      return "turn";
    case "rate_limited":
      return "limited";
    case "silent":
    case "paused":
      return "paused";
    case "interrupted":
      return "error";
    case "idle":
    case "terminated":
      return "closed";
  }
}

const STATES: Record<FleetAgentNow["state"], string> = {
  idle: "Idle",
  starting: stateWord("starting"),
  working: stateWord("active"),
  at_prompt: stateWord("your_turn"),
  needs_you: stateWord("needs_you"),
  rate_limited: stateWord("rate_limited"),
  silent: "Silent",
  paused: stateWord("paused"),
  interrupted: stateWord("interrupted"),
  terminated: "Retired",
};

export function agentWord({ state, session_state, limited_until, hook }: Shown): string {
  if (session_state && state !== "terminated") return stateWord(session_state, limited_until);
  return state === "idle" && hook === "pending" ? stateWord("queued") : STATES[state];
}

/** An action on a stuck agent. */
export type RecoveryAction = "open" | FleetRecovery;

export function recoveryActionsOf({
  state,
  session_id,
  bead,
}: Pick<FleetAgentNow, "state" | "session_id" | "bead">): RecoveryAction[] {
  const work: RecoveryAction[] = bead === null ? [] : ["reassign", "release"];
  const open: RecoveryAction[] = session_id === null ? [] : ["open"];
  switch (state) {
    case "at_prompt":
      return open;
    case "needs_you":
    case "silent":
    case "rate_limited":
      return [...open, ...work];
    case "paused":
    case "interrupted":
      return [...(session_id === null ? [] : (["resume"] as const)), ...work, ...open];
    default:
      return [];
  }
}

export const RECOVERY_LABELS: Record<RecoveryAction, string> = {
  open: "Open",
  resume: "Resume",
  reassign: "Reassign",
  release: "Release",
};

export type Tone = "done" | "doing" | "bad" | "wait";
export interface Share {
  tone: Tone;
  count: number;
  word: string;
}

/** The segments of a convoy's progress bar, in order; empty ones are left out. */
export function sharesOf(counts: FleetConvoyCounts): Share[] {
  const all: Share[] = [
    { tone: "done", count: counts.merged, word: "merged" },
    { tone: "done", count: counts.done, word: "done" },
    { tone: "doing", count: counts.in_review, word: "in review" },
    { tone: "doing", count: counts.in_progress, word: "in progress" },
    { tone: "doing", count: counts.hooked, word: "assigned" },
    { tone: "bad", count: counts.conflicted, word: "conflicted" },
    { tone: "bad", count: counts.missing, word: "missing" },
    { tone: "wait", count: counts.ready, word: "ready" },
    { tone: "wait", count: counts.blocked, word: "blocked" },
    { tone: "wait", count: counts.put_off, word: "deferred" },
  ];
  return all.filter(({ count }) => count > 0);
}

export const STAGES: { stage: MergeStage; name: string }[] = [
  { stage: "prepare", name: "Prepare" },
  { stage: "combine", name: "Combine" },
  { stage: "check", name: "Check" },
  { stage: "move", name: "Update" },
  { stage: "push", name: "Push" },
  { stage: "finish", name: "Finish" },
];

const TROUBLES: Record<TroubleKind, string> = {
  conflict: "Conflicted",
  check_failed: "Check failed",
  check_timed_out: "Check timed out",
  check_not_run: "Check not run",
  checked_out: "Checked out",
  not_followed: "Checked out",
  no_source: "Branch missing",
  no_target: "Target missing",
  not_approved: "Not approved",
  unrelated: "Unrelated history",
  target_moves: "Target changing",
  no_worktree: "No worktree",
  git: "Git failed",
  not_closed: "Bead not closed",
};

export function troubleWord(kind: TroubleKind): string {
  return TROUBLES[kind];
}

/** An event as one line, with its agent's name instead of the ID. */
export function eventLine({ message, agentId }: FleetEvent, nameOf: (id: string) => string | undefined): string {
  const name = agentId ? nameOf(agentId) : undefined;
  return oneLine(name && agentId ? message.replaceAll(agentId, name) : message);
}
