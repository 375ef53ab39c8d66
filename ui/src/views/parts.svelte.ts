/**
 * Parts of the program that the first board does without. Their code is fetched when they are first wanted,
 * and all of it once the board is there: whoever opens one then does not wait.
 */
import type { Component } from "svelte";
import { CallError } from "../platform";
import type { Layout } from "../state/layout.svelte";

/** Between the first board and what is fetched after it, in milliseconds. */
const REST = 300;

/** One part: the component that shows it, once it is here. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any component, with whatever it takes
export class Part<C extends Component<any>> {
  shows = $state.raw<C | null>(null);
  error = $state.raw<CallError | null>(null);
  readonly #load: () => Promise<{ default: C }>;
  #fetching: Promise<void> | undefined;

  constructor(load: () => Promise<{ default: C }>) {
    this.#load = load;
  }

  /** Fetches it unless it is here or under way. What failed is tried again, and does not throw. */
  fetch(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => {
      if (!this.shows) this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    try {
      this.shows = (await this.#load()).default;
      this.error = null;
    } catch {
      this.error = new CallError("io", "A part of this page could not be loaded", "Load the page again. Sessions go on meanwhile.");
    }
  }
}

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
    for (const part of [DIALOGS, SESSION, HISTORY, MEMORY, FLEET, INSIGHT]) {
      if (stopped) return;
      await part.fetch();
    }
  }, REST);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
