/**
 * Parts of the program that the first board does without. Their code is fetched when they are first wanted,
 * and all of it once the board is there: whoever opens one then does not wait.
 */
import { MENU } from "../components/menu-part";
import { Part } from "../components/part.svelte";
import type { Layout } from "../state/layout.svelte";

/** Between the first board and what is fetched after it, in milliseconds. */
const REST = 300;

export const DIALOGS = new Part(() => import("./Dialogs.svelte"));
export const SESSION = new Part(() => import("./BesideSession.svelte"));
export const HISTORY = new Part(() => import("./History.svelte"));
export const INSIGHT = new Part(() => import("../features/insight/InsightView.svelte"));
export const MEMORY = new Part(() => import("../features/memory/MemoryView.svelte"));
export const FLEET = new Part(() => import("./Fleet.svelte"));

/** Fetches what a window that is laid out like this shows first. */
export async function fetchFor(layout: Layout): Promise<void> {
  const view = { board: null, history: HISTORY, insight: INSIGHT, memory: MEMORY, fleet: FLEET }[layout.view];
  await Promise.all([view?.fetch(), layout.session === null ? undefined : SESSION.fetch()]);
}

/** Fetches them all, one after the other, when what was shown first has rested. */
export function fetchLater(): () => void {
  let stopped = false;
  const timer = setTimeout(async () => {
    for (const part of [MENU, DIALOGS, SESSION, HISTORY, MEMORY, FLEET, INSIGHT]) {
      if (stopped) return;
      await part.fetch();
    }
  }, REST);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
