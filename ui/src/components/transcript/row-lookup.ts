/** Finds a message in a transcript's rows, and adds dividers between days. Pure. */
import type { Message } from "../../generated/api";
import { day } from "../../words/time";
import type { Row } from "./rows";

/** The key of the row that shows a message or, with `tool`, its tool calls; null if there is none. */
export function rowWith(rows: readonly Row[], messages: readonly Message[], id: string, tool: boolean): string | null {
  const keys = new Set(rows.map((row) => row.key));
  const at = messages.findIndex((message) => message.id === id);
  // A row of tool calls or subagent messages is named after its first message.
  for (let n = at; n >= 0; n--) {
    const message = messages[n];
    if (!message) break;
    const tools = `${message.id} tools`;
    const own =
      message.subagent === undefined
        ? n < at || tool
          ? [tools, message.id]
          : [message.id, tools]
        : [`${message.id} ${message.subagent}`];
    const found = own.find((key) => keys.has(key)) ?? starting(rows, message.subagent);
    if (found) return found;
  }
  return null;
}

/** The row of the call that started the subagent. */
function starting(rows: readonly Row[], subagent: string | undefined): string | null {
  if (subagent === undefined) return null;
  const row = rows.find(
    (row) =>
      row.kind === "tools" && row.calls.some(({ id }) => id !== undefined && row.nested.get(id)?.name === subagent),
  );
  return row?.key ?? null;
}

/** Adds a divider for each day, if there is more than one. */
export function withDays(rows: readonly Row[], now: number): readonly Row[] {
  const first = rows.find((row) => row.at)?.at;
  const last = rows.findLast((row) => row.at)?.at;
  if (!first || !last || day(first, now) === day(last, now)) return rows;
  let before = "";
  return rows.flatMap((row): Row[] => {
    const today = row.at ? day(row.at, now) : before;
    if (today === before) return [row];
    before = today;
    return [{ kind: "divider", key: `day ${today}`, text: today }, row];
  });
}
