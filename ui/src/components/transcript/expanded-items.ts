/** The expanded items of a conversation. Rows themselves are destroyed when they scroll out of view. */
import { createContext } from "svelte";
import { SvelteSet } from "svelte/reactivity";

export class ExpandedItems {
  readonly #keys = new SvelteSet<string>();
  readonly #toggled: () => void;

  /** `toggled` is called at the start of each `toggle`. */
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

const [opened, provideOpened, hasOpened] = createContext<ExpandedItems>();
export { provideOpened };

/** The conversation's expanded items, or a separate set for a standalone row. */
export function useOpened(): ExpandedItems {
  return hasOpened() ? opened() : new ExpandedItems();
}
