/** The fields of a bead that can be edited: their names, values as text, changes and inverse changes. Pure. */
import type { Bead, BeadChange, BeadDetail } from "../generated/api";
import { capital, oneLine } from "./text";
import { statusWord } from "./ready";

/** The name of a field in `BeadChange`; both label lists are one field. */
export type FieldName = Exclude<keyof BeadChange, "add_labels" | "remove_labels"> | "labels";

/** A bead as in a list, or with some or all of its details. */
export type Version = Bead & Partial<BeadDetail>;

export const TEXTS = ["description", "design", "acceptance_criteria", "notes"] as const;
export type TextField = (typeof TEXTS)[number];

/** In the order of the bead's sheet. */
export const FIELDS: readonly FieldName[] = [
  "title",
  ...TEXTS,
  "status",
  "priority",
  "issue_type",
  "assignee",
  "parent",
  "due",
  "defer",
  "estimated_minutes",
  "external_ref",
  "labels",
];

export const FIELD_NAMES: Record<FieldName, string> = {
  title: "Title",
  description: "Description",
  design: "Design",
  acceptance_criteria: "Acceptance criteria",
  notes: "Notes",
  status: "Status",
  priority: "Priority",
  issue_type: "Type",
  assignee: "Assignee",
  parent: "Parent",
  due: "Due",
  defer: "Deferred until",
  estimated_minutes: "Estimate",
  external_ref: "External reference",
  labels: "Labels",
};

const PRIORITY_NAMES = ["Critical", "High", "Medium", "Low", "Lowest"];

export function priorityName(priority: number): string {
  return PRIORITY_NAMES[priority] ?? `P${priority}`;
}

/** The display name of a bead's type: `bug` becomes `Bug`, `merge-request` becomes `Merge request`. */
export function typeName(type: string): string {
  return capital(oneLine(type).replaceAll(/[-_]/g, " "));
}

/** A field's value as text, to compare and to show; "" if it is empty. */
export function valueOf(bead: Version, field: FieldName): string {
  switch (field) {
    case "labels":
      return bead.labels.join("\n");
    case "due":
      return bead.due_at ?? "";
    case "defer":
      return bead.defer_until ?? "";
    case "priority":
    case "estimated_minutes":
      return bead[field] === undefined ? "" : String(bead[field]);
    default:
      return bead[field] ?? "";
  }
}

/** The fields that differ between two versions. Fields that one version lacks are not compared. */
export function changedFields(before: Version, after: Version): FieldName[] {
  const known = (field: FieldName) =>
    (!(TEXTS as readonly string[]).includes(field) && field !== "external_ref") ||
    ("description" in before && "description" in after);
  return FIELDS.filter((field) => known(field) && valueOf(before, field) !== valueOf(after, field));
}

/** The fields that a change sets. */
export function fieldsOf(change: BeadChange): FieldName[] {
  return FIELDS.filter((field) =>
    field === "labels"
      ? (change.add_labels?.length ?? 0) + (change.remove_labels?.length ?? 0) > 0
      : change[field] !== undefined && change[field] !== null,
  );
}

/** The bead after a change, as far as the window can compute it; the tracker's answer replaces it. */
export function applyChange<T extends Version>(bead: T, change: BeadChange, now: number): T {
  const next: Version = { ...bead };
  for (const field of fieldsOf(change)) {
    switch (field) {
      case "labels": {
        const kept = next.labels.filter((label) => !change.remove_labels?.includes(label));
        next.labels = [...new Set([...kept, ...(change.add_labels ?? [])])];
        break;
      }
      case "due":
        put(next, "due_at", momentOf(change.due ?? ""));
        break;
      case "defer":
        put(next, "defer_until", momentOf(change.defer ?? ""));
        break;
      case "estimated_minutes":
        put(next, "estimated_minutes", change.estimated_minutes || undefined);
        break;
      case "assignee":
      case "parent":
        put(next, field, change[field] || undefined);
        break;
      case "priority":
        next.priority = change.priority ?? next.priority;
        break;
      case "title":
      case "status":
      case "issue_type":
        next[field] = change[field] ?? next[field];
        break;
      default:
        // Beads in lists have neither the long texts nor the external reference.
        if ("description" in bead) next[field] = change[field] ?? "";
    }
  }
  if (change.status || change.defer !== undefined) {
    const later = next.defer_until !== undefined && Date.parse(next.defer_until) > now;
    next.ready = next.status === "open" && next.blocked_by.length === 0 && !later;
  }
  return next as T;
}

/** The change that restores the fields of `change` to their values in `before`. */
export function inverseOf(before: Version, change: BeadChange): BeadChange {
  const back: BeadChange = {};
  for (const field of fieldsOf(change)) {
    switch (field) {
      case "labels":
        back.remove_labels = (change.add_labels ?? []).filter((label) => !before.labels.includes(label));
        back.add_labels = (change.remove_labels ?? []).filter((label) => before.labels.includes(label));
        break;
      case "priority":
        back.priority = before.priority;
        break;
      case "estimated_minutes":
        back.estimated_minutes = before.estimated_minutes ?? 0;
        break;
      default:
        back[field] = valueOf(before, field);
    }
  }
  return back;
}

/** A change as text for a toast: `BC-112: priority changed`. */
export function saidOf(id: string, change: BeadChange): string {
  const names = fieldsOf(change).map((field) => FIELD_NAMES[field].toLowerCase());
  if (change.status) return `${id} moved to ${statusWord(change.status)}`;
  const last = names.pop() ?? "";
  return `${id}: ${names.length > 0 ? `${names.join(", ")} and ` : ""}${last} changed`;
}

/** A day or a time stamp as a time stamp; undefined for an empty text. A day becomes its start in UTC, as in the
 * trackers. */
function momentOf(text: string): string | undefined {
  if (text === "") return undefined;
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
}

function put<T extends object, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value === undefined) delete target[key];
  else target[key] = value;
}
