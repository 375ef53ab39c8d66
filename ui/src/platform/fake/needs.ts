/** The needs of the sample project and, with `with=inbox`, of a second one. */
import type { Need, NeedKind, PermissionRequest, SessionView } from "../../generated/api";
import { requestsOf, sessionId } from "./sessions";
import type { FakeState } from "./state";

const MINUTE = 60_000;

/** A simplified form of the engine's list. */
export function needsOf(state: FakeState): Need[] {
  const needs = state.sessions.flatMap((session) => needsOfSession(session));
  const reviews = state.beads
    .filter((bead) => bead.status === "in_review")
    .map((bead) => need("review", bead.title, "", bead.updated_at ?? "", { id: `review:${bead.id}`, bead: bead.id }));
  const merge = need("merge", "Reject alg none tokens", "3 conflicts in 2 files", ago(state, 34), {
    id: "merge:1",
    bead: "BC-093",
    merge: "merge-1",
  });
  return [...needs, ...(state.options.get("with") === "inbox" ? [merge, ...reviews] : [])];
}

function needsOfSession(session: SessionView): Need[] {
  const { live } = session;
  const of = { session: session.id, bead: session.bead_id ?? null };
  const title = session.title ?? "";
  if (!live) {
    const since = session.paused_at ?? session.created_at;
    return session.state === "interrupted"
      ? [need("error", title, "The session was interrupted.", since, { ...of, id: `interrupted:${session.id}` })]
      : [];
  }
  const asked = live.permissions.map((request) =>
    need(kindOf(request), title, textOf(request), request.asked_at, { ...of, id: request.id, request }),
  );
  if (session.state === "your_turn")
    asked.push(
      need(
        "turn",
        title,
        "The bench shows 4% less time per request. Shall I open the pull request?",
        live.activity_since,
        {
          ...of,
          id: `turn:${session.id}:${live.activity_since}`,
        },
      ),
    );
  if (session.state === "rate_limited" && live.failure)
    asked.push(
      need("limit", title, live.failure.message, live.failure.at, {
        ...of,
        id: `limit:${session.id}`,
        until: live.failure.until,
      }),
    );
  return asked;
}

function kindOf({ tool }: PermissionRequest): NeedKind {
  return tool === "AskUserQuestion" ? "question" : tool === "ExitPlanMode" ? "plan" : "permission";
}

function textOf({ tool, input }: PermissionRequest): string {
  const text = (key: string) => (input as Record<string, unknown>)[key];
  if (tool === "ExitPlanMode") return String(text("plan")).split("\n")[0]?.replace(/^#+ /, "") ?? "";
  return `${tool}: ${String(text("command") ?? text("file_path") ?? "")}`;
}

function need(kind: NeedKind, title: string, text: string, since: string, more: Partial<Need>): Need {
  return {
    id: "",
    kind,
    title,
    text,
    since,
    session: null,
    bead: null,
    until: null,
    request: null,
    merge: null,
    ...more,
  };
}

function ago(state: FakeState, minutes: number): string {
  return new Date(state.now - minutes * MINUTE).toISOString();
}

/** The sessions of the second project. */
export function otherSessions(state: FakeState): SessionView[] {
  const base = state.sessions.find((session) => session.live?.activity === "working") ?? state.sessions[0];
  if (!base || state.options.get("with") !== "inbox")
    return state.options.get("with") === "inbox" ? [] : state.sessions;
  const made = (n: number, bead: string, title: string, minutes: number, request: PermissionRequest): SessionView => ({
    ...base,
    id: sessionId(n),
    bead_id: bead,
    title,
    agent_id: "hlstc-executor",
    state: "needs_you",
    live: base.live && {
      ...base.live,
      held: [],
      troubles: [],
      unreachable_since: null,
      activity: "waiting_permission",
      permissions: [{ ...request, id: `other-${n}`, asked_at: ago(state, minutes) }],
    },
  });
  const { edit, plan } = requestsOf(state.now);
  return [
    made(12, "LG-031", "Round each line once", 3, edit),
    made(13, "LG-034", "Move rounding behind one function", 9, plan),
  ];
}

/** The needs of the second project. */
export function otherNeeds(state: FakeState): Need[] {
  return state.options.get("with") === "inbox" ? otherSessions(state).flatMap(needsOfSession) : [];
}
