/** Beads without activity for too long. */
import type { BeadId, StaleBead } from "../generated/api";
import { dismissed, type Dismissals } from "./board-options";
import type { Call } from "./memories.svelte";

/** A bead becomes stale without an event, so the answer is refreshed after this many milliseconds. */
export const REFRESH = 15 * 60_000;

/** Milliseconds without a change before the answer is refreshed. */
const REST = 1000;

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
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `kept`: where dismissals are stored. */
  constructor(call: Call, kept: Kept) {
    this.#call = call;
    this.#kept = kept;
  }

  /** The bead's staleness; undefined if it is not stale, or dismissed for now. */
  of(id: BeadId, now: number): StaleBead | undefined {
    const stale = this.#beads.get(id);
    return stale && (this.#kept.dismissals[id] ?? 0) <= now ? stale : undefined;
  }

  dismiss(id: BeadId, now: number): void {
    this.#kept.set({ dismissals: dismissed(this.#kept.dismissals, id, now) });
  }

  /** Refreshes an answer that is too old. */
  look(now: number): void {
    if (now - this.#readAt >= REFRESH) void this.reload(now);
  }

  /** Beads changed: reloads once they rest, because changes come in bursts. */
  changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.reload(), REST);
  }

  async reload(now = Date.now()): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    this.#readAt = now;
    try {
      const { beads } = await this.#call("bead.stale", {});
      this.#beads = new Map(beads.map((bead) => [bead.id, bead]));
    } catch {
      // The board works without badges; the list reports a tracker that fails.
    }
    this.#reading = false;
  }
}
