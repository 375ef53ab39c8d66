/** Completion of the query line: fields, comparisons and the values in use. Pure. */
import { partsOf, quoted, type QueryPart } from "../../state/query-text";
import { plural } from "../../words/count";

/** The values in use, by field. */
export interface Known {
  statuses: readonly string[];
  types: readonly string[];
  labels: readonly string[];
  assignees: readonly string[];
  /** Epics, for fields that name one; `beads` has all beads, for fields that name any. */
  epics: readonly Named[];
  beads: readonly Named[];
}
export interface Named {
  id: string;
  title: string;
}

export interface Completion {
  /** The text that replaces the range from `from` to `to`. */
  text: string;
  /** The label: the field, or the value. */
  name: string;
  about: string;
  /** Whether the part is then complete, so that a space is added. */
  ends: boolean;
}
export interface Completions {
  title: string;
  from: number;
  to: number;
  list: Completion[];
}

interface FieldWords {
  name: string;
  /** The field with its usual operator. */
  insert: string;
  about: string;
}

const FIELDS: readonly FieldWords[] = [
  { name: "status", insert: "status:", about: "open, in progress, ready, blocked …" },
  { name: "label", insert: "label:", about: "with this label" },
  { name: "priority", insert: "priority<=", about: "0 is the most urgent, 4 the least" },
  { name: "assignee", insert: "assignee:", about: "a person, me or none" },
  { name: "type", insert: "type:", about: "bug, feature, task, chore, docs or epic" },
  { name: "epic", insert: "epic:", about: "below this epic" },
  { name: "updated", insert: "updated<", about: "changed within this time, such as 7d" },
  { name: "label", insert: "-label:", about: "without this label" },
  { name: "blockedby", insert: "blockedby:", about: "waits for this bead" },
  { name: "blocks", insert: "blocks:", about: "this bead waits for it" },
  { name: "parent", insert: "parent:", about: "directly below this bead" },
  { name: "created", insert: "created<", about: "created within this time, such as 2w" },
  { name: "closed", insert: "closed<", about: "closed within this time" },
  { name: "due", insert: "due<", about: "due within this time, such as 3d" },
  { name: "defer", insert: "defer:", about: "deferred: any, none or a date" },
  { name: "is", insert: "is:", about: "ready, blocked, stale, overdue …" },
  { name: "has", insert: "has:", about: "description, comments, estimate …" },
  { name: "id", insert: "id:", about: "the bead with this ID" },
];

/** A value, its meaning, and whether it is a keyword, which is never quoted. */
type Value = readonly [value: string, about: string, plain?: boolean];

const AGES = [1, 3, 7, 14, 30].map((days): Value => [`${days}d`, `the last ${plural(days, "day")}`]);
const NONE: Value = ["none", "no value", true];
const IS = ["ready", "blocked", "stale", "overdue", "open", "closed", "pinned"];
const HAS = ["description", "design", "acceptance", "notes", "comments", "reference", "labels", "assignee", "parent"];
const PRIORITIES = ["the most urgent", "urgent", "normal", "low", "the least urgent"];
const MAX_CHOICES = 8;

/** The completions at the caret. */
export function completionsAt(query: string, caret: number, known: Known): Completions {
  const part = partsOf(query).find(({ from, to }) => from < caret && caret <= to);
  if (part?.field && caret >= part.valueAt && FIELDS.some(({ name }) => name === part.field))
    return valuesAt(query, caret, part, known);
  const from = part?.from ?? caret;
  const typed = query.slice(from, caret).toLowerCase();
  const used = new Set(partsOf(query).flatMap(({ field, negated }) => (field && !negated ? [field] : [])));
  const fits = ({ name, insert }: FieldWords) =>
    typed === "" ? !used.has(name) || insert.startsWith("-") : insert.startsWith(typed);
  return {
    title: used.size > 0 ? "Narrow it down" : "Filter by",
    from,
    to: part?.to ?? caret,
    list: FIELDS.filter(fits)
      .slice(0, MAX_CHOICES)
      .map(({ insert, about }) => ({ text: insert, name: insert, about, ends: false })),
  };
}

function valuesAt(query: string, caret: number, part: QueryPart, known: Known): Completions {
  const before = query.slice(part.valueAt, caret);
  const from = part.valueAt + lastComma(before) + 1;
  const typed = query.slice(from, caret).replace(/"/g, "").toLowerCase();
  const list = valuesOf(part.field ?? "", known)
    .filter(([value, about]) => value.toLowerCase().includes(typed) || about.toLowerCase().includes(typed))
    .filter(([value]) => !part.values.includes(value) || value.toLowerCase() === typed)
    .sort(([a], [b]) => Number(b.toLowerCase().startsWith(typed)) - Number(a.toLowerCase().startsWith(typed)))
    .slice(0, MAX_CHOICES)
    .map(([value, about, plain]): Completion => ({
      text: plain ? value : quoted(value),
      name: value,
      about,
      ends: true,
    }));
  return { title: `Values of ${part.field}`, from, to: endOfValue(query, from, part.to), list };
}

function lastComma(text: string): number {
  return (text.split('"').length - 1) % 2 === 1 ? text.lastIndexOf(",", text.lastIndexOf('"')) : text.lastIndexOf(",");
}

function endOfValue(query: string, from: number, to: number): number {
  const comma = query.slice(from, to).indexOf(",");
  return comma < 0 ? to : from + comma;
}

function valuesOf(field: string, known: Known): Value[] {
  const plain = (values: readonly string[]): Value[] => values.map((value) => [value, ""]);
  const beads = (list: readonly Named[]): Value[] => list.map(({ id, title }) => [id, title]);
  switch (field) {
    case "status":
      return plain([...new Set(["ready", "blocked", ...known.statuses])]);
    case "type":
      return plain(known.types);
    case "label":
      return [...plain(known.labels), NONE];
    case "assignee":
      return [["me", "you", true], ["none", "unassigned", true], ...plain(known.assignees)];
    case "priority":
      return PRIORITIES.map((about, n) => [String(n), about]);
    case "epic":
      return [...beads(known.epics), NONE];
    case "parent":
    case "blocks":
    case "blockedby":
      return [NONE, ["any", "any bead", true], ...beads(known.beads)];
    case "id":
      return beads(known.beads);
    case "is":
      return plain(IS);
    case "has":
      return plain(HAS);
    default:
      return [...AGES, ["today", "", true], NONE];
  }
}

/** Applies a completion to the query; also returns the caret's new position. */
export function completed(
  query: string,
  { from, to }: Pick<Completions, "from" | "to">,
  { text, ends }: Completion,
): { query: string; caret: number } {
  const after = query.slice(to);
  const space = ends && after === "" ? " " : "";
  return { query: query.slice(0, from) + text + space + after, caret: from + text.length + space.length };
}
