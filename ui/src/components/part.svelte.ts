/** Code that is loaded on first use. */
import type { Component } from "svelte";
import { CallError } from "../platform";

/** One part: its component, once loaded. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any component, with whatever it takes
export class Part<C extends Component<any>> {
  shows = $state.raw<C | null>(null);
  error = $state.raw<CallError | null>(null);
  /** The error of a load that the user waited for. The component that shows it clears it. */
  missed = $state.raw<CallError | null>(null);
  readonly #load: () => Promise<{ default: C }>;
  #fetching: Promise<void> | undefined;

  constructor(load: () => Promise<{ default: C }>) {
    this.#load = load;
  }

  /** Loads the part unless it is loaded or loading. A failed load is retried next time and does not throw. */
  fetch(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => {
      if (!this.shows) this.#fetching = undefined;
    });
    return this.#fetching;
  }

  /** Loads the part for a waiting user. Returns whether it is loaded. */
  async want(): Promise<boolean> {
    await this.fetch();
    if (!this.shows) this.missed = this.error;
    return this.shows !== null;
  }

  async #fetch(): Promise<void> {
    try {
      this.shows = (await this.#load()).default;
      this.error = null;
    } catch {
      this.error = new CallError(
        "io",
        "Part of this page could not be loaded",
        "Reload the page. Sessions keep running.",
      );
    }
  }
}
