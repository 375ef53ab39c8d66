/** The choices for a field of one or several beads; values that all beads have are checked. Pure. */
import type { Pick } from "../../components/PickList.svelte";
import type { Bead, BeadChange } from "../../generated/api";
import { priorityName } from "../../words/bead-fields";
import { statusName } from "../../words/bead-status";
import { isAgent } from "../../words/people";
import { dayStamp } from "../../words/time";

/** The fields that a pick list edits. */
export type PickField = "status" | "priority" | "type" | "assignee" | "labels" | "parent" | "defer" | "close";

export interface PickSource {
  /** All beads of the project. */
  list: readonly Bead[];
  labels: readonly string[];
  assignees: readonly string[];
  statuses: readonly string[];
  types: readonly string[];
  /** The user's name. */
  me: string;
  now: number;
}

/** The choice for an empty value. */
export const NONE = "";
/** Statuses that other commands set. */
const NOT_OFFERED = new Set(["tombstone", "pinned", "hooked"]);
const STATUSES = ["open", "in_progress", "in_review", "closed"];
const DAY = 86_400_000;
const PRIORITIES = [0, 1, 2, 3, 4];
const REASONS = ["Done", "Duplicate", "Not reproducible", "Obsolete", "Not planned"];

export function picksOf(field: PickField, beads: readonly Bead[], from: PickSource): Pick[] {
  const all = (is: (bead: Bead) => boolean) => beads.length > 0 && beads.every(is);
  switch (field) {
    case "status":
      return [...new Set([...STATUSES, ...from.statuses])]
        .filter((status) => !NOT_OFFERED.has(status))
        .map((value) => ({ value, name: statusName(value), checked: all((bead) => bead.status === value) }));
    case "priority":
      return PRIORITIES.map((priority) => ({
        value: String(priority),
        name: `P${priority}`,
        description: priorityName(priority),
        checked: all((bead) => bead.priority === priority),
      }));
    case "type":
      return from.types.map((value) => ({ value, name: value, checked: all((bead) => bead.issue_type === value) }));
    case "assignee":
      return [
        { value: NONE, name: "Unassigned", checked: all((bead) => !bead.assignee) },
        ...[...new Set([from.me, ...from.assignees])]
          .filter((name) => name !== "" && !isAgent(name))
          .map((name) => ({
            value: name,
            name,
            description: name === from.me ? "you" : undefined,
            checked: all((bead) => bead.assignee === name),
          })),
      ];
    case "labels":
      return from.labels.map((value) => {
        const having = beads.filter((bead) => bead.labels.includes(value)).length;
        const some = having > 0 && having < beads.length ? `on ${having} of ${beads.length}` : undefined;
        return { value, name: value, description: some, checked: having === beads.length && having > 0 };
      });
    case "parent":
      return [{ value: NONE, name: "No parent" }, ...parentPicks(beads, from.list)];
    case "defer":
      return deferralPicks(from.now);
    case "close":
      return REASONS.map((name) => ({ value: name, name }));
  }
}

/** Possible parents, epics first: all beads that are not closed, except the given ones. The tracker refuses a parent
 * that would close a cycle. */
function parentPicks(beads: readonly Bead[], list: readonly Bead[]): Pick[] {
  const own = new Set(beads.map(({ id }) => id));
  const rank = (bead: Bead) => (bead.issue_type === "epic" ? 0 : 1);
  return list
    .filter((bead) => !own.has(bead.id) && bead.status !== "closed")
    .sort((a, b) => rank(a) - rank(b))
    .map(({ id, title }) => ({
      value: id,
      name: id,
      description: title,
      checked: beads.every((bead) => bead.parent === id),
    }));
}

function deferralPicks(now: number): Pick[] {
  const days: [number, string][] = [
    [1, "Tomorrow"],
    [3, "In 3 days"],
    [7, "In a week"],
    [14, "In two weeks"],
    [30, "In a month"],
  ];
  return [
    ...days.map(([count, name]) => {
      const value = dayStamp(now + count * DAY);
      return { value, name, description: value };
    }),
    { value: NONE, name: "Not deferred" },
  ];
}

/** The function that turns a typed text into a choice, or into null if the text is invalid; undefined if the field
 * accepts only listed choices. */
export function createOf(field: PickField): ((text: string) => Pick | null) | undefined {
  switch (field) {
    case "assignee":
      return (text) => ({ value: text, name: `Assign to “${text}”` });
    case "labels":
      return (text) => ({ value: text, name: `New label “${text}”` });
    case "defer":
      return (text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? { value: text, name: `Until ${text}` } : null);
    case "close":
      return (text) => ({ value: text, name: `Because “${text}”` });
    default:
      return undefined;
  }
}

/** The change for a choice; null for choices with a separate command. */
export function changeOf(field: PickField, value: string, beads: readonly Bead[]): BeadChange | null {
  switch (field) {
    case "status":
    case "close":
      return null;
    case "priority":
      return { priority: Number(value) };
    case "type":
      return { issue_type: value };
    case "assignee":
      return { assignee: value };
    case "labels":
      return beads.every((bead) => bead.labels.includes(value)) ? { remove_labels: [value] } : { add_labels: [value] };
    case "parent":
      return { parent: value };
    case "defer":
      return { defer: value };
  }
}
