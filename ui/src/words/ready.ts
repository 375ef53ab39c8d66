/** Why a bead is not ready, as text. The reasons come with the bead. Pure. */
import type { Bead, BeadId, NotReady } from "../generated/api";
import { date } from "./time";
import { capital, oneLine } from "./text";

/** Another bead that is part of a reason; `state` is its state in words, if known. */
export interface Cause {
  id: BeadId;
  title: string;
  state?: string;
}

/** A sentence, or its beginning, which `bead` completes as a link. */
export interface Reason {
  description: string;
  bead?: Cause;
}

/** Looks up a bead's status in the loaded list. */
export type Find = (id: BeadId) => Pick<Bead, "status"> | undefined;

/** A tracker status in words: `in progress`, `assigned` (the fleet format calls it `hooked`). */
export function statusWord(status: string): string {
  return status === "hooked" ? "assigned" : oneLine(status).replaceAll("_", " ");
}

/** The status in words; null for open, in progress, in review and closed, which the column already shows. */
export function rawStatus({ status }: Pick<Bead, "status">): string | null {
  return ["open", "in_progress", "in_review", "closed"].includes(status) ? null : statusWord(status);
}

/** All reasons in full; a generic one if the tracker gives none. */
export function reasonsOf(bead: Pick<Bead, "not_ready">, now: number, find?: Find): Reason[] {
  const reasons = (bead.not_ready ?? []).map((reason) => inFull(reason, now, find));
  return reasons.length > 0 ? reasons : [{ description: "The tracker does not list this bead as ready." }];
}

function inFull(reason: NotReady, now: number, find?: Find): Reason {
  switch (reason.reason) {
    case "status":
      return { description: STATUSES[reason.status] ?? `Its status is ${statusWord(reason.status)}.` };
    case "blocked_by": {
      const verb = VERBS[verbOf(reason)];
      const description = reason.parent ? `Its parent ${reason.parent} is ${verb}` : capital(verb);
      return { description, bead: causeOf(reason, find) };
    }
    case "deferred": {
      const what = reason.parent ? `Its parent ${reason.parent} is deferred` : "Deferred";
      return { description: `${what} until ${date(reason.until, now)}.` };
    }
    case "assigned":
      return { description: `Assigned to ${oneLine(reason.to)}.` };
    case "kind":
      return { description: `The tracker reserves beads of type ${oneLine(reason.issue_type)}.` };
  }
}

type BlockedBy = Extract<NotReady, { reason: "blocked_by" }>;

const VERBS = {
  children: "waiting for the children of",
  gate: "waiting for the gate",
  blocks: "blocked by",
};

function verbOf({ kind, issue_type }: BlockedBy): keyof typeof VERBS {
  if (kind === "waits-for") return "children";
  return issue_type === "gate" ? "gate" : "blocks";
}

function causeOf({ id, title }: BlockedBy, find?: Find): Cause {
  const status = find?.(id)?.status;
  return { id, title: oneLine(title), ...(status ? { state: statusWord(status) } : {}) };
}

const STATUSES: Record<string, string> = {
  hooked: "It is assigned to an agent that has not started it yet.",
  blocked: "Its status was set to blocked manually.",
  deferred: "Its status is deferred.",
};

/** The first reason, as shown on a card; `more` counts the others. */
export interface CardReason {
  icon: "locked" | "later" | "agent";
  text: string;
  bead?: Cause;
  more: number;
}

export function cardReason(
  bead: Pick<Bead, "not_ready" | "status" | "assignee">,
  now: number,
  find?: Find,
): CardReason {
  // The card shows its assignee already, so an assignment is not repeated as a reason.
  const reasons = (bead.not_ready ?? []).filter(({ reason }) => reason !== "assigned");
  const [first] = reasons;
  const more = Math.max(0, reasons.length - 1);
  switch (first?.reason) {
    case "blocked_by": {
      const verb = VERBS[verbOf(first)];
      const text = first.parent ? `Parent ${first.parent} ${verb}` : capital(verb);
      return { icon: "locked", text, bead: causeOf(first, find), more };
    }
    case "deferred": {
      const what = first.parent ? `Parent ${first.parent} deferred` : "Deferred";
      return { icon: "later", text: `${what} until ${date(first.until, now)}`, more };
    }
    case "status": {
      const to = bead.assignee ? ` to ${oneLine(bead.assignee)}` : "";
      if (first.status === "hooked") return { icon: "agent", text: `Assigned${to}`, more };
      return { icon: "locked", text: `Status: ${statusWord(first.status)}`, more };
    }
    case "kind":
      return { icon: "locked", text: `Reserved type: ${oneLine(first.issue_type)}`, more };
    default: {
      const status = rawStatus(bead);
      return { icon: "locked", text: status ? `Status: ${status}` : "Not ready", more: 0 };
    }
  }
}

/** All reasons as one text, for tooltips and screen readers. */
export function whyNot(bead: Pick<Bead, "not_ready">, now: number, find?: Find): string {
  const words = ({ description, bead: other }: Reason) => {
    if (!other) return description;
    const title = other.title ? ` ${other.title}` : "";
    return `${description} ${other.id}${title}${other.state ? ` (${other.state})` : ""}.`;
  };
  return `Not ready. ${reasonsOf(bead, now, find).map(words).join(" ")}`;
}
