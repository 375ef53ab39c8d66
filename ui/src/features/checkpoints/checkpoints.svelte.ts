/** The checkpoints of a session, the comparison of two of them, and the actions on them. */
import type {
  CheckpointChanges,
  FilesRestored,
  SessionCheckpoints,
  SessionId,
  SessionStarted,
} from "../../generated/api";
import { lineSums } from "../../components/diff/line-sums";
import { asCallError, type CallError } from "../../platform";
import type { Call } from "../../state/memories.svelte";
import { rowsOf, turnsOf } from "./rows";

export class Checkpoints {
  listed = $state.raw<SessionCheckpoints | null>(null);
  changes = $state.raw<CheckpointChanges | null>(null);
  error = $state.raw<CallError | null>(null);
  /** Whether a restore or a fork is running. */
  busy = $state(false);
  #from = $state<number | null>(null);
  /** The later checkpoint; null for the current state. */
  to = $state<number | null>(null);
  #reads = 0;

  readonly #call: Call;
  readonly #id: SessionId;

  constructor(call: Call, id: SessionId) {
    this.#call = call;
    this.#id = id;
  }

  readonly rows = $derived(rowsOf(this.listed?.checkpoints ?? []));
  readonly turns = $derived(turnsOf(this.rows));
  /** The earlier checkpoint; by default, that of the last turn. Null if there are no turns. */
  readonly from = $derived(this.#from ?? this.turns[0]?.checkpoint ?? null);

  /** The total of added and removed lines of the comparison. */
  readonly sums = $derived(lineSums(this.changes?.files ?? []));

  choose(from: number): void {
    this.#from = from;
    if (this.to !== null && this.to <= from) this.to = null;
  }

  /** Loads the list and the comparison. Only the last call's answer counts. */
  async read(space: boolean): Promise<void> {
    const mine = ++this.#reads;
    try {
      const listed = await this.#call("session.checkpoints", { id: this.#id });
      if (mine !== this.#reads) return;
      this.listed = listed;
      if (!listed.checkpoints.some(({ number }) => number === this.#from)) this.#from = null;
      const [from, to] = [this.from, this.to];
      const comparable = from !== null && (to !== null || listed.has_folder);
      const changes = comparable
        ? await this.#call("session.compare", { id: this.#id, from, to, ignore_space: space })
        : null;
      if (mine !== this.#reads) return;
      [this.changes, this.error] = [changes, null];
    } catch (thrown) {
      if (mine === this.#reads) this.error = asCallError(thrown);
    }
  }

  /** Restores files of a checkpoint, or all of them if `files` is empty. Without `anyway`, it fails with
   * `confirmation_needed` if Claude is working, another branch is checked out or another session uses the folder. */
  restore(checkpoint: number, files: readonly string[], anyway: boolean): Promise<FilesRestored> {
    return this.#working(() =>
      this.#call("session.restore_files", { id: this.#id, checkpoint, files: [...files], anyway }),
    );
  }

  /** Starts a session with the files of a checkpoint and the conversation before the turn. */
  fork(checkpoint: number, turn: number): Promise<SessionStarted> {
    return this.#working(() => this.#call("session.fork", { id: this.#id, checkpoint, turn }));
  }

  async #working<T>(act: () => Promise<T>): Promise<T> {
    this.busy = true;
    try {
      return await act();
    } finally {
      this.busy = false;
    }
  }
}
