/** Sessions of the history that were marked, to be done something with together. */
import { SvelteSet } from "svelte/reactivity";
import type { SessionId } from "../../generated/api";

export class Selection {
  readonly ids = new SvelteSet<SessionId>();
  #last: SessionId | null = null;

  /** Marks one, or takes its mark away. */
  toggle(id: SessionId): void {
    if (!this.ids.delete(id)) this.ids.add(id);
    this.#last = id;
  }

  /** Marks everything from the one that was touched last to this one, in the order of the list. */
  reach(id: SessionId, list: readonly SessionId[]): void {
    const [from, to] = [list.indexOf(this.#last ?? id), list.indexOf(id)];
    if (from < 0 || to < 0) return this.toggle(id);
    for (const one of list.slice(Math.min(from, to), Math.max(from, to) + 1)) this.ids.add(one);
    this.#last = id;
  }

  all(list: readonly SessionId[]): void {
    list.forEach((id) => this.ids.add(id));
  }

  clear(): void {
    this.ids.clear();
    this.#last = null;
  }
}
