/** The main views and a session's tabs, in display order. Menus, keys, commands and the stored layout use them. */

export const VIEWS = [
  { id: "inbox", name: "Needs you" },
  { id: "board", name: "Board" },
  { id: "history", name: "History" },
  { id: "insight", name: "Insight" },
  { id: "memory", name: "Memory" },
  { id: "fleet", name: "Fleet" },
] as const;
export type View = (typeof VIEWS)[number]["id"];

export type Tab = "chat" | "terminal" | "changes" | "context" | "timeline";

/** `title` is the tab's name outside the session, in the palette. */
export const TABS: readonly { readonly id: Tab; readonly name: string; readonly title: string }[] = [
  { id: "chat", name: "Chat", title: "Chat" },
  { id: "terminal", name: "Terminal", title: "Terminal" },
  { id: "changes", name: "Changes", title: "Session changes" },
  { id: "context", name: "Context", title: "Context sent to Claude" },
  { id: "timeline", name: "Timeline", title: "Session timeline" },
];

/** The parts of the fleet view. */
export const FLEET_TABS = [
  { id: "overview", name: "Overview" },
  { id: "terminals", name: "Terminals" },
  { id: "places", name: "Places" },
] as const;
export type FleetTab = (typeof FLEET_TABS)[number]["id"];

/** The ID if it is known, else `otherwise`, else the first ID of the list. */
export function knownId<Id extends string>(list: readonly { readonly id: Id }[], id: unknown, otherwise?: Id): Id {
  const find = (wanted: unknown) => list.find((one) => one.id === wanted);
  const found = find(id) ?? find(otherwise) ?? list[0];
  if (!found) throw new Error("a list of tabs is never empty");
  return found.id;
}
