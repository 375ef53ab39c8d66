/** Where in a transcript's rows a message stands. Pure. */
import type { Row } from "../../components/transcript/rows";
import type { Message } from "../../generated/api";

/** The key of the row that shows a message, or a tool's call in it; null where none does. */
export function rowWith(rows: readonly Row[], messages: readonly Message[], id: string, tool: boolean): string | null {
  const keys = new Set(rows.map((row) => row.key));
  const at = messages.findIndex((message) => message.id === id);
  // Tool calls and a subagent's messages are put together under the first of them.
  for (let n = at; n >= 0; n--) {
    const message = messages[n];
    if (!message) break;
    const tools = `${message.id} tools`;
    const own = message.subagent === undefined ? (n < at || tool ? [tools, message.id] : [message.id, tools]) : [`${message.id} ${message.subagent}`];
    const found = own.find((key) => keys.has(key));
    if (found) return found;
  }
  return null;
}
