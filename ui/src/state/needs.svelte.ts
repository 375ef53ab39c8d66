/**
 * The needs of one project. They are loaded even while the window is hidden, because notifications depend on
 * them. A burst of changes causes one load.
 */
import type { Need } from "../generated/api";
import type { Call } from "../platform";
import type { Sessions } from "./sessions.svelte";

/** The delay between a change and the load that it causes, in milliseconds. */
const MIN_PAUSE_MS = 250;

export class ProjectNeeds {
  /** The engine's answer; null before the first load. */
  #listed = $state.raw<readonly Need[] | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loading = false;
  #again = false;
  readonly #call: Call;
  readonly #sessions: Sessions;

  /** In the engine's order, without needs that the session's own record shows to be over. */
  readonly items: readonly Need[] = $derived.by(() => (this.#listed ?? []).filter((need) => this.#lasts(need)));

  constructor(call: Call, sessions: Sessions) {
    this.#call = call;
    this.#sessions = sessions;
  }

  get loaded(): boolean {
    return this.#listed !== null;
  }

  /** Reloads soon, because something may have changed. */
  changed(): void {
    if (this.#loading) this.#again = true;
    else this.#timer ??= setTimeout(() => void this.load(), MIN_PAUSE_MS);
  }

  async loadOnce(): Promise<void> {
    if (!this.loaded && !this.#loading) await this.load();
  }

  async load(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#loading = true;
    try {
      this.#listed = (await this.#call("session.needs", {})).items;
    } catch {
      // In a folder without beads, or without a connection, the project's views report the error. Events cause
      // another load.
    }
    this.#loading = false;
    if (!this.#again) return;
    this.#again = false;
    this.changed();
  }

  #lasts(need: Need): boolean {
    const session = this.#sessions.get(need.session);
    if (!session) return true;
    const { request, kind } = need;
    if (request) return session.live?.permissions.some(({ id }) => id === request.id) === true;
    if (kind === "turn") return session.state === "your_turn";
    return kind !== "limit" || session.state === "rate_limited";
  }
}
