/** The beads to start next, offered after a close. */
import type { BeadId, NextBead, NextStarted } from "../generated/api";
import type { Layout } from "./layout.svelte";
import type { Call } from "../platform";
import type { Toasts } from "./toasts.svelte";

/** The maximum number of beads that are offered, one after the other. */
const MAX_OFFERED = 5;

export class NextOffer {
  /** The bead that was closed. */
  after = $state<BeadId | null>(null);
  #beads = $state.raw<readonly NextBead[]>([]);
  readonly #call: Call;
  #round = 0;

  constructor(call: Call) {
    this.#call = call;
  }

  readonly current = $derived(this.#beads[0] ?? null);
  readonly more = $derived(this.#beads.length > 1);

  /** Loads the beads to offer after the user closed `after`. */
  async offer(after: BeadId): Promise<void> {
    const round = ++this.#round;
    try {
      const { beads } = await this.#call("bead.next", { after, limit: MAX_OFFERED });
      if (round !== this.#round) return;
      this.#beads = beads;
      this.after = beads.length > 0 ? after : null;
    } catch {
      // The close succeeded; without an offer, the board still shows the ready beads.
      if (round === this.#round) this.dismiss();
    }
  }

  /** Offers the next bead of the ranking. */
  skip(): void {
    this.#beads = this.#beads.slice(1);
    if (this.#beads.length === 0) this.dismiss();
  }

  /** Withdraws beads that are not ready any more. */
  drop(isReady: (id: BeadId) => boolean): void {
    const left = this.#beads.filter(({ bead }) => isReady(bead.id));
    if (left.length === this.#beads.length) return;
    this.#beads = left;
    if (left.length === 0) this.dismiss();
  }

  dismiss(): void {
    this.#round++;
    this.#beads = [];
    this.after = null;
  }
}

/** Reports the session that was started automatically on the next bead. */
export function startedNext({ bead, session, left }: NextStarted, toasts: Toasts, layout: Layout): void {
  const rest = left === 0 ? "the last one" : `${left} more automatically`;
  toasts.done(`Started ${bead}, ${rest}`, { label: "Open", run: () => layout.openSession(session) });
}
