/** The user's needs as text: kinds, titles and notifications. */
import type { Need, NeedKind } from "../generated/api";
import { endOf, requestTitle } from "./session";
import { oneLine } from "./text";

/** The kinds of needs, in the order of the inbox. */
export const KINDS: readonly { kind: NeedKind; name: string; setting: string }[] = [
  { kind: "permission", name: "Permissions", setting: "Permission requests" },
  { kind: "question", name: "Questions", setting: "Questions" },
  { kind: "plan", name: "Plans", setting: "Plans to approve" },
  { kind: "login", name: "Logins", setting: "Logins" },
  { kind: "trust", name: "Trust", setting: "Trust in a folder" },
  { kind: "dialog", name: "Dialogs", setting: "Dialogs in the terminal" },
  { kind: "error", name: "Errors", setting: "Errors and interrupted sessions" },
  { kind: "limit", name: "Rate limits", setting: "Rate limits" },
  { kind: "turn", name: "Your turn", setting: "Finished turns" },
  { kind: "merge", name: "Stopped merges", setting: "Stopped merges" },
  { kind: "review", name: "Reviews", setting: "Finished work to review" },
];

/** The first line of a row: the request, the plan, the rate limit, or the need's title. */
export function needTitle(need: Need): string {
  if (need.request && need.kind === "plan") return oneLine(need.text) || "Approve the plan";
  if (need.request) return requestTitle(need.request);
  if (need.kind === "limit") return `Rate limited${need.until ? ` until ${endOf(need.until)}` : ""}`;
  return oneLine(need.title);
}

/** The second line of a row, below the title; empty if there is none. */
export function needText(need: Need): string {
  if (need.kind === "question" || need.kind === "plan") return "";
  return oneLine(need.text);
}

/** A notification's title and text. */
export function noteOf(need: Need, project: string): { title: string; body: string } {
  const session = oneLine(need.title);
  const text = oneLine(need.text);
  const body = (...parts: string[]) => [...parts.filter((part) => part !== ""), project].join("\n");
  switch (need.kind) {
    case "permission":
    case "question":
      return { title: needTitle(need), body: body(session, need.kind === "permission" ? text : "") };
    case "plan":
      return { title: "A plan to approve", body: body(text, session) };
    case "limit":
      return { title: needTitle(need), body: body(session) };
    case "turn":
      return { title: `Your turn: ${session}`, body: body(text) };
    case "merge":
      return { title: `Merge stopped: ${session}`, body: body(text) };
    case "review":
      return { title: `Ready for review: ${session}`, body: body() };
    case "error":
    case "login":
    case "trust":
    case "dialog":
      return { title: `Needs you: ${session}`, body: body(text) };
  }
}
