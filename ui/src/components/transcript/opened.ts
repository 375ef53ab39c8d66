/** What the reader opened in a conversation. It outlives the rows, which come and go as one scrolls. */
import { getContext, setContext } from "svelte";
import { SvelteSet } from "svelte/reactivity";

export class Opened {
  readonly #keys = new SvelteSet<string>();
  readonly #toggled: () => void;

  /** `toggled` is told before something opens or closes. */
  constructor(toggled: () => void = () => {}) {
    this.#toggled = toggled;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  open(key: string): void {
    this.#keys.add(key);
  }

  toggle(key: string): void {
    this.#toggled();
    if (!this.#keys.delete(key)) this.#keys.add(key);
  }
}

const OPENED = Symbol("opened");

export function provideOpened(opened: Opened): Opened {
  return setContext(OPENED, opened);
}

/** The conversation's, or one of its own for a row that stands alone. */
export function useOpened(): Opened {
  return getContext<Opened | undefined>(OPENED) ?? new Opened();
}
