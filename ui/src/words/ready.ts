/** Why a bead is not ready, as text. The reasons come from the tracker's graph. Pure. */
import type { Bead, BeadId, NotReady } from "../generated/api";
import { date } from "./time";
import { oneLine } from "./text";

/** A sentence, followed by the bead that it links to, if any. */
export interface Reason {
  description: string;
  bead?: { id: BeadId; title: string };
}

/** A tracker status in words: `in progress`, `assigned` (the fleet format calls it `hooked`). */
export function statusWord(status: string): string {
  return status === "hooked" ? "assigned" : oneLine(status).replaceAll("_", " ");
}

/** The status of an open bead if it says more than its column; null for `open`. */
export function rawStatus({ status }: Pick<Bead, "status">): string | null {
  return ["open", "in_progress", "in_review", "closed"].includes(status) ? null : statusWord(status);
}

/** All reasons in full. If the tracker gives none, a generic one. */
export function reasonsOf(bead: Pick<Bead, "not_ready">, now: number): Reason[] {
  const reasons = (bead.not_ready ?? []).map((reason) => inFull(reason, now));
  return reasons.length > 0 ? reasons : [{ description: "The tracker does not list this bead as ready." }];
}

function inFull(reason: NotReady, now: number): Reason {
  switch (reason.reason) {
    case "status":
      return { description: STATUSES[reason.status] ?? `Its status is ${statusWord(reason.status)}.` };
    case "blocked_by": {
      const verb =
        reason.kind === "waits-for"
          ? "waiting for the children of"
          : reason.issue_type === "gate"
            ? "waiting for the gate"
            : "blocked by";
      const description = reason.parent
        ? `Its parent ${reason.parent} is ${verb}`
        : `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
      return { description, bead: { id: reason.id, title: oneLine(reason.title) } };
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

const STATUSES: Record<string, string> = {
  hooked: "Assigned to an agent that has not started it yet.",
  blocked: "Its status was set to blocked manually.",
  deferred: "Its status is deferred.",
};

/** The first reason, short enough for a card. */
export function shortReason(
  bead: Pick<Bead, "not_ready" | "blocked_by">,
  now: number,
): { icon: "locked" | "later"; text: string } | null {
  for (const reason of bead.not_ready ?? []) {
    if (reason.reason === "blocked_by" && reason.parent) return { icon: "locked", text: `${reason.parent} blocked` };
    if (reason.reason === "blocked_by")
      return {
        icon: "locked",
        text: bead.blocked_by.length > 1 ? `${reason.id} +${bead.blocked_by.length - 1}` : reason.id,
      };
    if (reason.reason === "deferred") return { icon: "later", text: `until ${date(reason.until, now)}` };
  }
  return null;
}

/** All reasons as one text, for tooltips and screen readers. */
export function whyNot(bead: Pick<Bead, "not_ready">, now: number): string {
  const words = ({ description, bead: other }: Reason) =>
    other ? `${description} ${other.id}${other.title ? ` ${other.title}` : ""}.` : description;
  return `Not ready. ${reasonsOf(bead, now).map(words).join(" ")}`;
}
