/** What a message has to say, to be looked through: small letters, as the search compares them. Pure. */
import type { Message, ToolCall } from "../../generated/api";

export function textOf(message: Message): string {
  return message.content.toLowerCase();
}

/** Whether a tool was given this text, or answered it. */
export function callHas({ tool, input, output = "" }: ToolCall, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  const has = (value: unknown): boolean => {
    if (typeof value === "string") return value.toLowerCase().includes(wanted);
    return typeof value === "object" && value !== null && Object.values(value).some(has);
  };
  return has(tool) || has(input) || has(output);
}
