/** Queries of the sample beads: a simplified form of the engine's queries. */
import type { Bead, BeadQueryAnswer, QueryProblem } from "../../generated/api";
import { partsOf, type QueryPart } from "../../state/query-text";

type Test = (bead: Bead) => boolean;

const ME = "Dana Voss";
const UNITS: Record<string, number> = { m: 6e4, h: 36e5, d: 864e5, w: 7 * 864e5 };
const FIELDS = "id, status, type, label, priority, assignee, parent, epic, created, updated, closed, due, is";

export function queried(beads: readonly Bead[], query: string, now: number): BeadQueryAnswer {
  const problems: QueryProblem[] = [];
  const tests = partsOf(query).flatMap((part): Test[] => {
    const written = query.slice(part.from, part.to);
    const text = (): Test => textTest((part.negated ? written.slice(1) : written).replace(/"/g, ""));
    const test = part.field === null ? text() : fieldTest(part, now);
    if (test === "missing") {
      problems.push({ part: written, why: `a value is missing after ${part.field}` });
      return [];
    }
    if (test === "unknown")
      problems.push({
        part: written,
        why: `there is no field ${part.field}; it is searched as text; the fields are ${FIELDS}`,
      });
    const known = test === "unknown" ? text() : test;
    return [(bead) => known(bead) !== part.negated];
  });
  return { ids: beads.filter((bead) => tests.every((test) => test(bead))).map(({ id }) => id), problems };
}

function textTest(text: string): Test {
  const low = text.toLowerCase();
  return (bead) => `${bead.id} ${bead.title}`.toLowerCase().includes(low);
}

function fieldTest(part: QueryPart, now: number): Test | "missing" | "unknown" {
  const { values, operator } = part;
  const of = (read: (bead: Bead) => readonly string[]): Test => {
    const wanted = values.map((value) => value.toLowerCase());
    return (bead) => {
      const has = read(bead).map((value) => value.toLowerCase());
      return wanted.some((value) => (value === "none" ? has.length === 0 : has.includes(value)));
    };
  };
  const one = (value: string | undefined) => (value ? [value] : []);
  const time = (read: (bead: Bead) => string | undefined): Test => {
    const [, count = "0", unit = "d"] = /^(\d+)([mhdw])$/.exec(values[0] ?? "") ?? [];
    const since = now - Number(count) * (UNITS[unit] ?? 0);
    return (bead) => operator.startsWith(">") !== Date.parse(read(bead) ?? "") >= since;
  };
  const tests: Record<string, () => Test> = {
    id: () => of((bead) => [bead.id]),
    status: () =>
      of((bead) => [bead.status, ...(bead.ready ? ["ready"] : []), ...(bead.blocked_by.length > 0 ? ["blocked"] : [])]),
    type: () => of((bead) => [bead.issue_type]),
    label: () => of((bead) => bead.labels),
    assignee: () => {
      const test = of((bead) => one(bead.assignee));
      return (bead) => test(bead) || (values.includes("me") && bead.assignee === ME);
    },
    parent: () => of((bead) => one(bead.parent)),
    epic: () => of((bead) => one(bead.parent)),
    blocks: () => of((bead) => bead.unblocks),
    blockedby: () => of((bead) => bead.blocked_by),
    priority: () => {
      const numbers = values.map((value) => Number(value.replace(/^p/i, "")));
      return ({ priority }) =>
        numbers.some((n) =>
          operator === "<="
            ? priority <= n
            : operator === "<"
              ? priority < n
              : operator === ">="
                ? priority >= n
                : operator === ">"
                  ? priority > n
                  : priority === n,
        );
    },
    created: () => time((bead) => bead.created_at),
    updated: () => time((bead) => bead.updated_at),
    closed: () => time((bead) => bead.closed_at),
    due: () => time((bead) => bead.due_at),
    is: () =>
      of((bead) => [
        bead.status === "closed" ? "closed" : "open",
        ...(bead.ready ? ["ready"] : []),
        ...(bead.blocked_by.length > 0 ? ["blocked"] : []),
      ]),
  };
  const test = tests[part.field ?? ""];
  if (!test) return "unknown";
  return values.length === 0 ? "missing" : test();
}
