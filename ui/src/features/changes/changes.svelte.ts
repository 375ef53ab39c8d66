/** A session's changes. The views reload them after each activity that may have changed files. */
import type { KeptRevert, SessionChanges, SessionId } from "../../generated/api";
import { lineSums } from "../../components/diff/line-sums";
import { asCallError, type CallError } from "../../platform";
import { coalesced } from "../../state/coalesced";
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

  constructor(project: Pick<Project, "call">, id: SessionId) {
    this.#project = project;
    this.#id = id;
  }

  /** The total of added and removed lines. */
  readonly sums = $derived(lineSums(this.now?.files ?? []));

  /** Reloads the changes with the same options. */
  again(): Promise<void> {
    return this.read(this.#space);
  }

  /** Loads the changes; `space` ignores white space. A call during a load causes one more load. */
  async read(space: boolean): Promise<void> {
    this.#space = space;
    await this.#load();
  }

  readonly #load = coalesced(async () => {
    try {
      this.now = await this.#project.call("session.changes", { id: this.#id, ignore_space: this.#space });
      this.error = null;
      this.reverts = (await this.#project.call("session.reverts", { id: this.#id })).reverts;
    } catch (thrown) {
      this.error = asCallError(thrown);
    }
  });
}
