/** Planning and starting a session on the sample state. */
import type {
  ApiError,
  SessionPlan,
  SessionPlanParams,
  SessionStarted,
  SessionStartParams,
  SessionView,
} from "../../generated/api";
import { liveOf, NEW_SESSION } from "./sessions";
import type { FakeState } from "./state";

export function planOf(state: FakeState, { bead_id, branch, folder }: SessionPlanParams): SessionPlan {
  const bead = state.bead(bead_id);
  const kind = { bug: "fix", chore: "chore", docs: "docs" }[bead?.issue_type ?? ""] ?? "feat";
  const slug =
    (bead?.title ?? "session")
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.slice(0, 3)
      .join("-") ?? "work";
  const name = branch ?? (bead ? `${kind}/${bead.id}-${slug}` : null);
  const problems: ApiError[] = [];
  const broken = name === null ? null : brokenRule(name);
  if (broken) {
    problems.push({ code: "branch_invalid", message: `${JSON.stringify(name)} is not a branch name: ${broken}` });
  } else if (name === "main") {
    problems.push({
      code: "branch_exists",
      message: "the branch main already exists: choose another name, or work on that branch",
    });
  }
  const worktree = folder !== "repository";
  return {
    branch: name,
    branch_exists: name === "main",
    cwd: worktree ? `/home/dv/work/gatehouse.worktrees/${bead?.id ?? "session"}` : "/home/dv/work/gatehouse",
    worktree,
    prompt: bead ? `Work on bead ${bead.id}: ${bead.title}` : "",
    problems,
  };
}

/** The rule that a branch name breaks; null if none. Checks only the rules that users commonly meet. */
function brokenRule(name: string): string | null {
  if (name === "") return "it is empty";
  if (name.includes("..")) return "it must not contain ..";
  if (/\s/.test(name)) return "it must not contain spaces or control characters";
  if (name.split("/").includes("")) return "it must not start or end with / or contain //";
  return name.endsWith(".lock") ? "no part of it may end with .lock" : null;
}

export function startSession(state: FakeState, params: SessionStartParams): SessionStarted {
  const bead = state.bead(params.bead_id);
  const now = new Date().toISOString();
  const session: SessionView = {
    ...NEW_SESSION,
    id: crypto.randomUUID(),
    status: "active",
    created_at: now,
    started_at: now,
    last_activated_at: now,
    title: params.title || bead?.title || params.objective?.split("\n")[0] || "New session",
    mode: params.mode ?? "manual",
    state: "your_turn",
    live: liveOf({ activity: "idle" }),
    ...(bead ? { bead_id: bead.id } : {}),
    ...(params.agent ? { agent_id: params.agent } : {}),
    ...(params.branch ? { branch: params.branch } : {}),
    ...(params.objective ? { objective: params.objective } : {}),
    ...(params.simulated ? { simulated: true } : {}),
  };
  state.messages.set(session.id, []);
  state.putSession(session);
  if (bead) state.putBead({ ...bead, status: "in_progress", ready: false, assignee: "Dana Voss" });
  return { session, warnings: [] };
}
