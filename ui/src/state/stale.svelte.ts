/** Beads without activity for too long. */
import type { BeadId, StaleBead } from "../generated/api";
import { dismissed, type Dismissals } from "./board-options";
import type { Call } from "../platform";

/** Age at which the answer is refreshed, in milliseconds, since a bead becomes stale without an event. */
export const REFRESH = 15 * 60_000;

/** Delay without a change before the answer is refreshed, in milliseconds. */
const RELOAD_DELAY_MS = 1000;

interface Kept {
  readonly dismissals: Dismissals;
  set: (change: { dismissals: Dismissals }) => void;
}

export class Stale {
  #beads = $state.raw<ReadonlyMap<BeadId, StaleBead>>(new Map());
  readonly #call: Call;
  readonly #kept: Kept;
  #readAt = -Infinity;
  #reading = false;
  /** Whether something changed during the current read. */
  #changed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `kept`: where dismissals are stored. */
  constructor(call: Call, kept: Kept) {
    this.#call = call;
    this.#kept = kept;
  }

  /** The bead's staleness; undefined if the bead is not stale or its badge is dismissed. */
  of(id: BeadId, now: number): StaleBead | undefined {
    const stale = this.#beads.get(id);
    return stale && (this.#kept.dismissals[id] ?? 0) <= now ? stale : undefined;
  }

  dismiss(id: BeadId, now: number): void {
    this.#kept.set({ dismissals: dismissed(this.#kept.dismissals, id, now) });
  }

  /** Refreshes the answer if it is too old. */
  look(now: number): void {
    if (now - this.#readAt >= REFRESH) void this.reload(now);
  }

  /** Reloads after a pause in the changes, since they come in bursts. */
  changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.reload(), RELOAD_DELAY_MS);
  }

  async reload(now = Date.now()): Promise<void> {
    if (this.#reading) {
      this.#changed = true;
      return;
    }
    this.#reading = true;
    this.#readAt = now;
    try {
      const { beads } = await this.#call("bead.stale", {});
      this.#beads = new Map(beads.map((bead) => [bead.id, bead]));
    } catch {
      // The board works without badges; the list reports a failing tracker.
    }
    this.#reading = false;
    if (!this.#changed) return;
    this.#changed = false;
    await this.reload();
  }
}
