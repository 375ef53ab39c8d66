/** Lazily loaded components. */
import type { Component } from "svelte";
import { CallError } from "../platform";

/** A component whose code is loaded on first use. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any component, with any props
export class Part<C extends Component<any>> {
  component = $state.raw<C | null>(null);
  error = $state.raw<CallError | null>(null);
  /** The error of a load that the user waited for. The component that shows it clears it. */
  unshownError = $state.raw<CallError | null>(null);
  readonly #load: () => Promise<{ default: C }>;
  #fetching: Promise<void> | undefined;

  constructor(load: () => Promise<{ default: C }>) {
    this.#load = load;
  }

  /** Loads the component unless it is loaded or loading. It does not throw; the next call retries a failed load. */
  fetch(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => {
      if (!this.component) this.#fetching = undefined;
    });
    return this.#fetching;
  }

  /** Loads the component for a waiting user. Returns whether it is loaded. */
  async want(): Promise<boolean> {
    await this.fetch();
    if (!this.component) this.unshownError = this.error;
    return this.component !== null;
  }

  async #fetch(): Promise<void> {
    try {
      this.component = (await this.#load()).default;
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
