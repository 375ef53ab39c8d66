/** Agents, convoys and merges in words. Pure. */
import type { AgentRole, FleetAgentNow, FleetEvent, FleetConvoyCounts, FleetRecovery, MergeStage, TroubleKind } from "../generated/api";
import type { Mark } from "./session";
import { oneLine } from "./text";

export const ROLES: { role: AgentRole; name: string; says: string }[] = [
  { role: "polecat", name: "Polecat", says: "does one piece of work after the other" },
  { role: "crew", name: "Crew", says: "stays, and works for a person" },
  { role: "mayor", name: "Mayor", says: "makes work and hands it out" },
  { role: "witness", name: "Witness", says: "watches the others" },
  { role: "refinery", name: "Refinery", says: "merges what is done" },
];

/** `Polecat 4f1c`, `Crew mira`: short enough for a list, and the same every time. */
export function agentName({ identity: { id, role } }: Pick<FleetAgentNow, "identity">): string {
  const name = ROLES.find((known) => known.role === role)?.name ?? role;
  const rest = oneLine(id.startsWith(`${role}-`) ? id.slice(role.length + 1) : id);
  return `${name} ${/^[0-9a-f]{6,}$/.test(rest) ? rest.slice(0, 4) : rest}`;
}

export function agentMark({ state }: Pick<FleetAgentNow, "state">): Mark {
  switch (state) {
    case "needs_you":
      return "needs";
    case "starting":
    case "working":
    case "at_prompt":
      return "active";
    case "rate_limited":
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
  idle: "idle",
  starting: "starting",
  working: "working",
  at_prompt: "at its prompt",
  needs_you: "needs you",
  rate_limited: "rate limited",
  silent: "silent",
  paused: "paused",
  interrupted: "claude stopped",
  terminated: "retired",
};

export function agentWord({ state }: Pick<FleetAgentNow, "state">): string {
  return STATES[state];
}

/** What can be done for one that gets nowhere, the likeliest first. */
export type Rescue = "open" | FleetRecovery;

export function rescuesOf({ state, session_id, bead }: Pick<FleetAgentNow, "state" | "session_id" | "bead">): Rescue[] {
  const work: Rescue[] = bead === null ? [] : ["hand_on", "release"];
  const open: Rescue[] = session_id === null ? [] : ["open"];
  switch (state) {
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

export const RESCUES: Record<Rescue, string> = { open: "Open", resume: "Resume", hand_on: "Hand on", release: "Release" };

export type Tone = "done" | "doing" | "bad" | "wait";
export interface Share {
  tone: Tone;
  count: number;
  word: string;
}

/** A convoy's beads in the order of its bar; what there is none of is left out. */
export function sharesOf(counts: FleetConvoyCounts): Share[] {
  const all: Share[] = [
    { tone: "done", count: counts.merged, word: "merged" },
    { tone: "done", count: counts.done, word: "done" },
    { tone: "doing", count: counts.in_review, word: "in review" },
    { tone: "doing", count: counts.in_progress, word: "in progress" },
    { tone: "doing", count: counts.hooked, word: "on a hook" },
    { tone: "bad", count: counts.conflicted, word: "conflicted" },
    { tone: "bad", count: counts.missing, word: "missing" },
    { tone: "wait", count: counts.ready, word: "ready" },
    { tone: "wait", count: counts.blocked, word: "blocked" },
    { tone: "wait", count: counts.put_off, word: "put off" },
  ];
  return all.filter(({ count }) => count > 0);
}

export const STAGES: { stage: MergeStage; name: string }[] = [
  { stage: "prepare", name: "Prepare" },
  { stage: "combine", name: "Combine" },
  { stage: "check", name: "Check" },
  { stage: "move", name: "Move" },
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
  no_source: "Branch gone",
  no_target: "Target gone",
  not_approved: "Not approved",
  unrelated: "Unrelated",
  target_moves: "Target moves",
  no_worktree: "No worktree",
  git: "Git failed",
  not_closed: "Not closed",
};

export function troubleWord(kind: TroubleKind): string {
  return TROUBLES[kind];
}

/** `740 MB`, `6.2 GB`. */
export function mebibytes(mib: number): string {
  return mib < 1000 ? `${mib} MB` : `${(mib / 1024).toFixed(1).replace(/\.0$/, "")} GB`;
}

/** What happened, in a line; what this build does not know by its own name. */
export function eventLine(event: FleetEvent): string {
  switch (event.event) {
    case "convoy_created":
      return "The convoy was made";
    case "convoy_progress":
      return event.progress === null ? "Its progress is not known" : `${Math.round(event.progress * 100)}% is done`;
    case "hook_set":
      return `${event.agent} was given ${event.bead}`;
    case "hook_activated":
      return `${event.agent} began ${event.bead}`;
    case "hook_completed":
      return `${event.agent} is done with ${event.bead}`;
    case "hook_cleared":
      return event.bead ? `${event.bead} was taken off the hook of ${event.agent}` : `The hook of ${event.agent} was cleared`;
    case "work_created":
      return `${event.bead} became a piece of work`;
    case "work_status":
      return `${event.bead} is ${event.status.replaceAll("_", " ")}`;
    case "merge_queued":
      return `${event.bead} waits to be merged`;
    case "merge_status":
      return `The merge of ${event.bead} is ${event.status}`;
    case "merge_cancelled":
      return `${event.bead} was taken out of the merge queue`;
    default: {
      const { event: name, at: _at, ...rest } = event as { event: string; at: string } & Record<string, unknown>;
      return oneLine(`${name.replaceAll("_", " ")} ${Object.values(rest).join(" ")}`);
    }
  }
}
