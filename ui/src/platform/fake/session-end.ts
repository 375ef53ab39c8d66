/** Ending, deleting and cleaning up on the sample state. */
import type {
  CleanedUp,
  Deleted,
  DeleteManyParams,
  EndPreview,
  SessionView,
  StaleSessions,
  Trash,
} from "../../generated/api";
import type { FakeState } from "./state";

const DAY = 24 * 36e5;
const LONG = 7;

export function endPreviewOf(state: FakeState, session: SessionView): EndPreview {
  const bead = state.bead(session.bead_id);
  const files = session.files_touched.map((path) => ({ path, change: "modified" as const }));
  const commits = session.commits.map((hash, n) => ({
    hash,
    subject: `Step ${n + 1} of ${session.title ?? "the work"}`,
    author: "Dana Voss",
    at: null,
  }));
  const log = [
    `- **Agent:** ${session.agent_id ?? "claude"}`,
    `- **Branch:** ${session.branch ?? "none"}`,
    `- **Active:** ${Math.round(session.duration_ms / 60_000)} min`,
    `- **Files:** ${session.files_touched.join(", ") || "none"}`,
    `- **Commits:** ${session.commits.join(", ") || "none"}`,
  ].join("\n");
  return {
    bead: bead ? { id: bead.id, title: bead.title, status: bead.status } : null,
    suggest_review: bead?.status === "in_progress",
    needs_consent: false,
    no_commit: session.commits.length === 0,
    log,
    facts: {
      session: session.id,
      started_at: session.started_at ?? null,
      agent: session.agent_id ?? null,
      branch: session.branch ?? null,
      active_ms: session.duration_ms,
      files,
      commits,
      commands: [],
      summary: null,
      simulated: session.simulated ?? false,
    },
    warnings: [],
  };
}

export function deleteMany(state: FakeState, { ids = [], before, after, dry_run }: DeleteManyParams): Deleted {
  const within = ({ closed_at = "" }: SessionView) =>
    (!before || (closed_at ?? "") < before) && (!after || (closed_at ?? "") >= after);
  const sessions = state.sessions.filter(
    (s) => s.status === "closed" && (ids.length > 0 ? ids.includes(s.id) : within(s)),
  );
  if (!dry_run) sessions.forEach((session) => trash(state, session));
  return { sessions, refused: [] };
}

export function trash(state: FakeState, session: SessionView): void {
  state.trash.set(session.id, session);
  state.sessions = state.sessions.filter((s) => s.id !== session.id);
  state.tell({ type: "session_deleted", id: session.id });
}

export function trashOf(state: FakeState): Trash {
  const deleted_at = new Date(state.now).toISOString();
  const removed_at = new Date(state.now + 7 * DAY).toISOString();
  return { sessions: [...state.trash.values()].map((meta) => ({ meta, deleted_at, removed_at })), warnings: [] };
}

export function staleOf(state: FakeState): StaleSessions {
  const limit = state.now - LONG * DAY;
  return {
    sessions: state.sessions.filter((s) => s.status === "paused" && Date.parse(s.paused_at ?? "") < limit),
    days: LONG,
  };
}

export function cleanedUp(state: FakeState): CleanedUp {
  return { closed_drafts: [], removed: [], stale: staleOf(state), warnings: [] };
}
