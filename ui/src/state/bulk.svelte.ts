/**
 * One change to many beads, written one after another. It reports progress, can be cancelled between two beads,
 * and keeps a result for each bead, so that refused changes can be retried.
 */
import type { BeadId } from "../generated/api";
import { asCallError } from "../platform";

export type BulkState = "waiting" | "done" | "refused" | "cancelled";

export interface BulkResult {
  id: BeadId;
  state: BulkState;
  /** Why the change was refused. */
  reason?: string;
}

export interface BulkTask {
  /** What changes, for the progress line: `Setting priority P1`. */
  title: string;
  /** The change, for the summary: `Priority set to P1`. */
  said: string;
  /** Changes one bead. Returns the function that undoes the change, if it can be undone. */
  write: (id: BeadId) => Promise<(() => Promise<void>) | undefined>;
}

export class Bulk {
  results = $state.raw<readonly BulkResult[]>([]);
  task = $state.raw<BulkTask | null>(null);
  running = $state(false);

  readonly done = $derived(this.results.filter(({ state }) => state === "done").length);
  readonly refused = $derived(this.results.filter(({ state }) => state === "refused"));
  readonly cancelled = $derived(this.results.filter(({ state }) => state === "cancelled").length);
  /** The number of beads with a result. */
  readonly finished = $derived(this.results.filter(({ state }) => state !== "waiting").length);

  #stopped = false;
  #back = new Map<BeadId, () => Promise<void>>();

  /** A function that undoes all completed changes; null if there are none, or if one of them cannot be undone. */
  get back(): (() => Promise<void>) | null {
    const steps = this.#back;
    if (steps.size === 0 || steps.size < this.done) return null;
    return async () => {
      for (const step of steps.values()) await step();
    };
  }

  /** Runs the task on the beads. Resolves when all have a result. Ignored while another task runs. */
  async run(task: BulkTask, ids: readonly BeadId[]): Promise<void> {
    if (this.running) return;
    this.task = task;
    this.#back = new Map();
    this.results = ids.map((id) => ({ id, state: "waiting" }));
    await this.#work();
  }

  /** Retries the refused and cancelled beads. */
  async retry(): Promise<void> {
    if (this.running || !this.task) return;
    this.results = this.results.map((one) => (one.state === "done" ? one : { id: one.id, state: "waiting" }));
    await this.#work();
  }

  /** Stops after the bead that is being written. */
  cancel(): void {
    this.#stopped = true;
  }

  dismiss(): void {
    if (this.running) return;
    this.task = null;
    this.results = [];
  }

  async #work(): Promise<void> {
    const { task } = this;
    if (!task) return;
    this.running = true;
    this.#stopped = false;
    for (const { id, state } of this.results) {
      if (state !== "waiting") continue;
      if (this.#stopped) this.#put({ id, state: "cancelled" });
      else
        try {
          const back = await task.write(id);
          if (back) this.#back.set(id, back);
          this.#put({ id, state: "done" });
        } catch (thrown) {
          const { message, hint } = asCallError(thrown);
          this.#put({ id, state: "refused", reason: [message, hint].filter(Boolean).join(" ") });
        }
    }
    this.running = false;
  }

  #put(result: BulkResult): void {
    this.results = this.results.map((one) => (one.id === result.id ? result : one));
  }
}
