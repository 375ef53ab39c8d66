/** A part of the program whose code is fetched when it is first wanted. */
import type { Component } from "svelte";
import { CallError } from "../platform";

/** One part: the component that shows it, once it is here. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any component, with whatever it takes
export class Part<C extends Component<any>> {
  shows = $state.raw<C | null>(null);
  error = $state.raw<CallError | null>(null);
  /** Why somebody who waited for it has not got it; whoever shows it takes it away. */
  missed = $state.raw<CallError | null>(null);
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

  /** Fetches it for somebody who waits for it; whether it is here then. */
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
      this.error = new CallError("io", "A part of this page could not be loaded", "Load the page again. Sessions go on meanwhile.");
    }
  }
}
