/**
 * The text of the query line: its parts with their positions, and changes to them. It serves completion, colours
 * and the Filter menu; the server does the matching. Pure.
 */

/** One part of a query: a condition on a field, or a text. */
export interface QueryPart {
  from: number;
  to: number;
  /** Whether the part starts with `-`. */
  negated: boolean;
  /** The field's name in lower case; null for a text. */
  field: string | null;
  /** `:`, `=`, `<`, `<=`, `>` or `>=`; empty for a text. */
  operator: string;
  /** The position of the value in the query. */
  valueAt: number;
  /** The values without quotes: `label:ui,"good first"` has two. */
  values: string[];
}

const CONDITION = /^(-?)([a-z][a-z_-]*)(<=|>=|[:<>=])/i;

export function partsOf(query: string): QueryPart[] {
  const parts: QueryPart[] = [];
  let at = 0;
  while (at < query.length) {
    if (/\s/.test(query[at] ?? "")) {
      at++;
      continue;
    }
    const to = endOf(query, at);
    parts.push(partOf(query.slice(at, to), at));
    at = to;
  }
  return parts;
}

/** The end of a part: the next space outside quotes, or the end of the query. */
function endOf(query: string, from: number): number {
  let quoted = false;
  let at = from;
  for (; at < query.length; at++) {
    const char = query[at] ?? "";
    if (char === "\\" && quoted) at++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && /\s/.test(char)) break;
  }
  return Math.min(at, query.length);
}

function partOf(text: string, from: number): QueryPart {
  const to = from + text.length;
  const [all = "", minus = "", field = "", operator = ""] = CONDITION.exec(text) ?? [];
  if (all === "") {
    const negated = text.length > 1 && text.startsWith("-");
    const valueAt = from + (negated ? 1 : 0);
    return { from, to, negated, field: null, operator: "", valueAt, values: [unquoted(text.slice(valueAt - from))] };
  }
  return {
    from,
    to,
    negated: minus !== "",
    field: field.toLowerCase(),
    operator,
    valueAt: from + all.length,
    values: listOf(text.slice(all.length)),
  };
}

function listOf(text: string): string[] {
  const values: string[] = [];
  let [quoted, begun] = [false, 0];
  for (let at = 0; at <= text.length; at++) {
    const char = text[at];
    if (char === "\\" && quoted) at++;
    else if (char === '"') quoted = !quoted;
    else if (char === undefined || (char === "," && !quoted)) {
      values.push(unquoted(text.slice(begun, at)));
      begun = at + 1;
    }
  }
  return values.filter((value) => value !== "");
}

function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  return text.slice(1, text.endsWith('"') && text.length > 1 ? -1 : undefined).replace(/\\(.)/g, "$1");
}

/** A value as written in a query, in quotes if necessary. */
export function quoted(value: string): string {
  const line = value.replace(/\s+/g, " ");
  const special = /^(none|any|me)$/i.test(line);
  return line === "" || special || /[\s",\\]/.test(line) ? `"${line.replace(/["\\]/g, "\\$&")}"` : line;
}

/** The chosen values of a field: those of its conditions with `:` and without `-`. */
export function chosenIn(query: string, field: string): string[] {
  return partsOf(query).flatMap((part) => (isChoice(part, field) ? part.values : []));
}

/** Adds a value to the choices of a field, or removes it. Several values of a field are alternatives. */
export function toggled(query: string, field: string, value: string): string {
  const now = chosenIn(query, field);
  const next = now.includes(value) ? now.filter((one) => one !== value) : [...now, value];
  const first = partsOf(query).find((part) => isChoice(part, field));
  const written = next.length === 0 ? "" : `${field}:${next.map(quoted).join(",")}`;
  return first
    ? spliced(withoutLater(query, field, first), first, written)
    : [query.trim(), written].filter(Boolean).join(" ");
}

/** Removes the field's later choices, last first, so that earlier positions stay valid. */
function withoutLater(query: string, field: string, first: QueryPart): string {
  const later = partsOf(query).filter((part) => isChoice(part, field) && part.from !== first.from);
  return later.reverse().reduce((text, part) => spliced(text, part, ""), query);
}

function isChoice(part: QueryPart, field: string): boolean {
  return part.field === field && part.operator === ":" && !part.negated;
}

/** The query with a part replaced; without it if the replacement is empty. */
export function spliced(query: string, { from, to }: { from: number; to: number }, text: string): string {
  const [before, after] = [query.slice(0, from), query.slice(to)];
  if (text !== "") return before + text + after;
  return [before.trimEnd(), after.trimStart()].filter(Boolean).join(" ");
}
