/** The user's earlier messages, recalled with the arrow keys as in a shell. */
import type { Message } from "../../generated/api";

/** The user's messages, oldest first, without consecutive repetitions. */
export function sentMessages(messages: readonly Message[]): string[] {
  const sent: string[] = [];
  for (const { role, kind, subagent, content, left_out } of messages) {
    const own = role === "user" && subagent === undefined && left_out === undefined;
    const typed = own && (kind === undefined || kind === "local_command");
    if (typed && content.trim() !== "" && content !== sent.at(-1)) sent.push(content);
  }
  return sent;
}

export class History {
  /** The number of steps back: 0 is the user's own text, 1 the newest message. */
  #at = 0;
  #own = "";

  /** Steps to an earlier (`by` 1) or later (-1) message; null if there is none. `text` is the text in the field. */
  step(by: 1 | -1, sent: readonly string[], text: string): string | null {
    if (this.#at > 0 && text !== sent.at(-this.#at)) this.#at = 0;
    const next = this.#at + by;
    if (next < 0 || next > sent.length) return null;
    if (this.#at === 0) this.#own = text;
    this.#at = next;
    return next === 0 ? this.#own : (sent.at(-next) ?? null);
  }

  reset(): void {
    this.#at = 0;
  }
}
