/** Splits Claude's plan into rows for remarks, and writes the remarks as Markdown for Claude. Pure. */

/** A part of the plan: a heading, list item, paragraph, code block or table. */
export interface PlanRow {
  /** The number of the first line of the row in the plan, from 1. */
  line: number;
  /** The Markdown of the row, without the indentation of a nested item. */
  text: string;
  /** The nesting level of a list item, from 0 to 6; 0 for other rows. */
  depth: number;
}

const ITEM = /^(\s*)(?:[-*+]|\d+[.)])\s+/;
const FENCE = /^\s*(`{3,}|~{3,})/;
const HEADING = /^\s{0,3}#{1,6}\s/;
const TABLE = /^\s*\|/;

export function planRows(plan: string): PlanRow[] {
  const rows: PlanRow[] = [];
  const lines = plan.split(/\r?\n/);
  let open: PlanRow | null = null;
  let fence: string | null = null;
  const add = (at: number, text: string, depth = 0): PlanRow => {
    const row = { line: at + 1, text, depth };
    rows.push(row);
    return row;
  };
  lines.forEach((line, at) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (open) open.text += `\n${line}`;
      if (mark?.startsWith(fence)) [fence, open] = [null, null];
    } else if (mark) {
      fence = mark;
      open = add(at, line);
    } else if (line.trim() === "") {
      open = null;
    } else if (HEADING.test(line)) {
      add(at, line.trim());
      open = null;
    } else if (ITEM.test(line)) {
      const indent = ITEM.exec(line)?.[1]?.replaceAll("\t", "    ").length ?? 0;
      open = add(at, line.trim(), Math.min(6, Math.floor(indent / 2)));
    } else if (open && TABLE.test(open.text) === TABLE.test(line)) {
      open.text += `\n${ITEM.test(open.text) ? `  ${line.trim()}` : line}`;
    } else {
      open = add(at, line);
    }
  });
  return rows;
}

/** The number of steps: items that are not nested, else all rows. */
export function stepsOf(rows: readonly PlanRow[]): number {
  const items = rows.filter((row) => ITEM.test(row.text) && row.depth === 0).length;
  return items > 0 ? items : rows.length;
}

/** The remarks in the form that Claude receives: each below a quotation of its row. */
export function remarksText(rows: readonly PlanRow[], remarks: Readonly<Record<number, string>>): string {
  const said = rows.flatMap(({ line, text }) => {
    const remark = remarks[line]?.trim();
    if (!remark) return [];
    const quote = text.split("\n").map((part) => `> ${part}`.trimEnd());
    return [`Line ${line}:\n\n${quote.join("\n")}\n\n${remark}`];
  });
  return said.length === 0 ? "" : `Remarks on the plan:\n\n${said.join("\n\n")}`;
}
