/**
 * Parts of the program that the board does not need. Each is loaded when it is first used, and all of them
 * shortly after the board is first shown.
 */
import type { Component } from "svelte";
import { MENU } from "../components/menu-part";
import { BEAD_VIEW_PARTS, COMPLETIONS, SELECTION } from "../features/query/parts";
import { Part } from "../components/part.svelte";
import type { Layout } from "../state/layout.svelte";
import type { View } from "../state/tabs";

/** Delay between showing the board and loading the rest, in milliseconds. */
const FETCH_DELAY_MS = 300;

export const DIALOGS = new Part(() => import("./Dialogs.svelte"));
export const SESSION = new Part(() => import("./SessionSplit.svelte"));

/** The views except the board, whose code is always loaded. */
export const VIEW_PARTS = {
  inbox: new Part(() => import("../features/inbox/InboxView.svelte")),
  history: new Part(() => import("./History.svelte")),
  memory: new Part(() => import("../features/memory/MemoryView.svelte")),
  fleet: new Part(() => import("./Fleet.svelte")),
  insight: new Part(() => import("../features/insight/InsightView.svelte")),
} satisfies Record<Exclude<View, "board">, Part<Component>>;

/** Loads the parts that this layout shows at the start. */
export async function fetchFor(layout: Layout): Promise<void> {
  const view = layout.view === "board" ? null : VIEW_PARTS[layout.view];
  const { view: beads } = layout.beads;
  await Promise.all([
    view?.fetch(),
    layout.view === "board" && beads !== "board" ? BEAD_VIEW_PARTS[beads].fetch() : undefined,
    layout.session === null ? undefined : SESSION.fetch(),
  ]);
}

/** Loads all parts one after another, after a short delay. */
export function fetchLater(): () => void {
  let stopped = false;
  const timer = setTimeout(async () => {
    for (const part of [
      MENU,
      DIALOGS,
      COMPLETIONS,
      SELECTION,
      SESSION,
      ...Object.values(BEAD_VIEW_PARTS),
      ...Object.values(VIEW_PARTS),
    ]) {
      if (stopped) return;
      await part.fetch();
    }
  }, FETCH_DELAY_MS);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
