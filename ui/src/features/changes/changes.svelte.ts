/** A session's changes. The views load them again after each activity that may have changed files. */
import type { KeptRevert, SessionChanges, SessionId } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";
import type { Project } from "../../state/project.svelte";

export class Changes {
  now = $state.raw<SessionChanges | null>(null);
  /** The session's reverts, newest first. */
  reverts = $state.raw<readonly KeptRevert[]>([]);
  /** The error of the last load; the loaded changes stay. */
  error = $state.raw<CallError | null>(null);

  readonly #project: Pick<Project, "call">;
  readonly #id: SessionId;
  #space = false;
  #reading = false;
  #again = false;

  constructor(project: Pick<Project, "call">, id: SessionId) {
    this.#project = project;
    this.#id = id;
  }

  /** The total of added and removed lines. */
  readonly sums = $derived.by(() => {
    const files = this.now?.files ?? [];
    return {
      added: files.reduce((n, { added }) => n + (added ?? 0), 0),
      removed: files.reduce((n, { removed }) => n + (removed ?? 0), 0),
    };
  });

  /** Loads the changes again with the same options. */
  again(): Promise<void> {
    return this.read(this.#space);
  }

  /** Loads the changes; `space` ignores white space. A call during a load causes one more load. */
  async read(space: boolean): Promise<void> {
    this.#space = space;
    this.#again = true;
    if (this.#reading) return;
    this.#reading = true;
    while (this.#again) {
      this.#again = false;
      try {
        this.now = await this.#project.call("session.changes", { id: this.#id, ignore_space: this.#space });
        this.error = null;
        this.reverts = (await this.#project.call("session.reverts", { id: this.#id })).reverts;
      } catch (thrown) {
        this.error = asCallError(thrown);
      }
    }
    this.#reading = false;
  }
}
