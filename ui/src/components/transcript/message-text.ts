/** Text search in one message and its tool calls. Pure. */
import type { Message, ToolCall } from "../../generated/api";

/** The message's own text in lower case, without its tool calls. */
export function textOf(message: Message): string {
  return message.content.toLowerCase();
}

/** Whether a call's tool name, input or output contains this text, ignoring case. */
export function callHas({ tool, input, output = "" }: ToolCall, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  const has = (value: unknown): boolean => {
    if (typeof value === "string") return value.toLowerCase().includes(wanted);
    return typeof value === "object" && value !== null && Object.values(value).some(has);
  };
  return has(tool) || has(input) || has(output);
}
