/** The selected sessions of the history. */
import { SvelteSet } from "svelte/reactivity";
import type { SessionId } from "../../generated/api";

export class Selection {
  readonly ids = new SvelteSet<SessionId>();
  #last: SessionId | null = null;

  /** Toggles a session, which becomes the start of the next range. */
  toggle(id: SessionId): void {
    if (!this.ids.delete(id)) this.ids.add(id);
    this.#last = id;
  }

  /** Selects the range from the last toggled session, or the end of the last range, to this one. If the list lacks one
   * of them, only toggles this session. */
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
