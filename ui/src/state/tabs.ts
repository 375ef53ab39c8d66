/** The main views and a session's tabs, in display order. Menus, keys, commands and the stored layout use them. */

interface Named<Id extends string> {
  readonly id: Id;
  readonly name: string;
}

export type View = "inbox" | "board" | "history" | "insight" | "memory" | "fleet";

export const VIEWS: readonly Named<View>[] = [
  { id: "inbox", name: "Needs you" },
  { id: "board", name: "Board" },
  { id: "history", name: "History" },
  { id: "insight", name: "Insight" },
  { id: "memory", name: "Memory" },
  { id: "fleet", name: "Fleet" },
];

export type Tab = "chat" | "terminal" | "changes" | "context" | "timeline";

/** `title` is the tab's name outside the session, in the palette. */
export const TABS: readonly (Named<Tab> & { readonly title: string })[] = [
  { id: "chat", name: "Chat", title: "Chat" },
  { id: "terminal", name: "Terminal", title: "Terminal" },
  { id: "changes", name: "Changes", title: "Session changes" },
  { id: "context", name: "Context", title: "Context sent to Claude" },
  { id: "timeline", name: "Timeline", title: "Session timeline" },
];

/** The parts of the fleet view. */
export type FleetTab = "overview" | "terminals" | "places";

export const FLEET_TABS: readonly Named<FleetTab>[] = [
  { id: "overview", name: "Overview" },
  { id: "terminals", name: "Terminals" },
  { id: "places", name: "Places" },
];

/** The ID if it is known, else `otherwise`, else the first ID of the list. */
export function knownId<Id extends string>(list: readonly Named<Id>[], id: unknown, otherwise?: Id): Id {
  const find = (wanted: unknown) => list.find((one) => one.id === wanted);
  const found = find(id) ?? find(otherwise) ?? list[0];
  if (!found) throw new Error("a list of tabs is never empty");
  return found.id;
}
