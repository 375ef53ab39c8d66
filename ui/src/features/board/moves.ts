/**
 * The moves of a bead between columns: which are valid, what they do, and why others are invalid. Pure;
 * `move-actions.ts` carries them out.
 */
import type { Bead, NotReady } from "../../generated/api";
import { columnOf, COLUMNS, type ColumnId } from "../../state/beads.svelte";
import { oneLine } from "../../words/text";
import { date } from "../../words/time";

export type Effect =
  "claim" | "submit" | "request_changes" | "approve" | "close" | "reopen" | "release" | "block" | "unblock" | "undefer";

export interface Valid {
  valid: true;
  effect: Effect;
  /** The text on the columns and below the card while dragging. The menu omits it if it only names the column. */
  label: string;
  /** Whether the move is the usual next step. */
  next?: boolean;
}
export interface Invalid {
  valid: false;
  /** The short reason, shown below the dragged card, in the menu or in a toast. Absent if the bead is in the column
   * already, or in no column. */
  why?: string;
}
export type Move = Valid | Invalid;

/** The facts on which moves depend, besides the bead. */
export interface Facts {
  /** Whether the tracker is read-only. */
  readOnly: boolean;
  /** Statuses that the tracker accepts; null while unknown. */
  statuses: readonly string[] | null;
  /** The user as an assignee; null while unknown. */
  me: string | null;
  /** Whether a session on the bead is running. */
  running: boolean;
  now: number;
}

export function moveOf(bead: Bead, to: ColumnId, facts: Facts): Move {
  const from = columnOf(bead);
  if (from === null || from === to) return { valid: false };
  if (facts.readOnly) return no("Beads are read-only here");
  return RULES[from][to](bead, facts);
}

type Rule = (bead: Bead, facts: Facts) => Move;

const no = (why: string): Invalid => ({ valid: false, why });
const never =
  (why: string): Rule =>
  () =>
    no(why);
const same: Rule = () => ({ valid: false });
const always =
  (effect: Effect, label: string, next = false): Rule =>
  () => ({ valid: true, effect, label, next });

const RULES: Record<ColumnId, Record<ColumnId, Rule>> = {
  blocked: {
    blocked: same,
    ready: makeReady,
    in_progress: (bead, facts) => no(firstObstacle(bead, facts.now) ?? "Move it to Ready first"),
    in_review: never("Needs a commit first"),
    closed: (bead) => {
      const blocker = bead.not_ready?.find((reason) => reason.reason === "blocked_by" && !reason.parent);
      return blocker?.reason === "blocked_by" ? no(`Blocked by ${blocker.id}`) : close();
    },
  },
  ready: {
    blocked: block,
    ready: same,
    in_progress: ({ assignee }, { me }) =>
      isOther(assignee, me)
        ? no(`Assigned to ${oneLine(assignee ?? "")}`)
        : { valid: true, effect: "claim", label: "Move to In progress", next: true },
    in_review: never("Needs a commit first"),
    closed: close,
  },
  in_progress: {
    blocked: block,
    ready: (_, { running }) =>
      running
        ? no("Its session is running")
        : { valid: true, effect: "release", label: "Release, without an assignee" },
    in_progress: same,
    in_review: always("submit", "Submit for review", true),
    closed: close,
  },
  in_review: {
    blocked: never("Request changes first"),
    ready: never("Request changes first"),
    in_progress: always("request_changes", "Request changes…"),
    in_review: same,
    closed: always("approve", "Approve…", true),
  },
  closed: {
    blocked: (bead) => (bead.blocked_by.length > 0 ? reopen() : no("No open bead blocks it")),
    ready: (bead) => (bead.blocked_by.length > 0 ? no(`Blocked by ${bead.blocked_by[0]}`) : reopen()),
    in_progress: never("Reopen it first"),
    in_review: never("Reopen it first"),
    closed: same,
  },
};

function close(): Valid {
  return { valid: true, effect: "close", label: "Close…" };
}

function reopen(): Valid {
  return { valid: true, effect: "reopen", label: "Reopen", next: true };
}

function block(_: Bead, { statuses }: Facts): Move {
  return statuses === null || statuses.includes("blocked")
    ? { valid: true, effect: "block", label: "Set to blocked" }
    : no("The tracker has no “blocked” status");
}

/** The move from Blocked to Ready. Since ready is computed, it can only undo a status or a deferral. */
function makeReady(bead: Bead, { now }: Facts): Move {
  const reasons = bead.not_ready ?? [];
  const obstacle = firstObstacle(bead, now);
  if (obstacle !== null) return no(obstacle);
  if (reasons.some(({ reason }) => reason === "deferred"))
    return { valid: true, effect: "undefer", label: "End the deferral", next: true };
  if (reasons.some(({ reason }) => reason === "status"))
    return { valid: true, effect: "unblock", label: "Set to open", next: true };
  return no("The tracker decides what is ready");
}

/** The first reason that no move can remove; null if there is none. */
function firstObstacle(bead: Bead, now: number): string | null {
  for (const reason of bead.not_ready ?? []) {
    const text = obstacleText(reason, now);
    if (text !== null) return text;
  }
  return null;
}

function obstacleText(reason: NotReady, now: number): string | null {
  switch (reason.reason) {
    case "blocked_by":
      if (reason.parent) return `Its parent ${reason.parent} is blocked`;
      return reason.issue_type === "gate" ? `Waiting for gate ${reason.id}` : `Blocked by ${reason.id}`;
    case "deferred":
      return reason.parent ? `Its parent is deferred until ${date(reason.until, now)}` : null;
    case "kind":
      return `Reserved type ${oneLine(reason.issue_type)}`;
    case "status":
      // Only the fleet can release a hooked bead, together with the agent's work.
      return reason.status === "hooked" ? "Assigned to an agent" : null;
    case "assigned":
      return null;
  }
}

/** Whether an open bead is assigned to another person or a session, so that the user cannot claim it. */
function isOther(assignee: string | undefined, me: string | null): boolean {
  return assignee !== undefined && assignee !== "" && me !== null && assignee !== me;
}

/** The other columns with the move to each, for menus. */
export function movesOf(bead: Bead, facts: Facts): { to: ColumnId; name: string; move: Move }[] {
  const from = columnOf(bead);
  return COLUMNS.filter(({ id }) => id !== from).map(({ id, name }) => ({
    to: id,
    name,
    move: moveOf(bead, id, facts),
  }));
}
