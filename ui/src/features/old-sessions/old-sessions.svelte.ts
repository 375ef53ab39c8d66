/** Long-paused and deleted sessions of a project, reloaded after every action. */
import type { CleanedUp, StaleSessions, Trash } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";
import type { Project } from "../../state/project.svelte";
import { notice } from "../../words/errors";

export class OldSessions {
  stale = $state.raw<StaleSessions | null>(null);
  trash = $state.raw<Trash | null>(null);
  error = $state.raw<CallError | null>(null);
  /** The result of the last action. */
  said = $state("");

  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  async load(): Promise<void> {
    await this.#try(async () => {
      [this.stale, this.trash] = await Promise.all([
        this.#project.call("session.stale", {}),
        this.#project.call("session.trash", {}),
      ]);
    });
  }

  /** Restores a session from the trash. */
  async restore(id: string, name: string): Promise<void> {
    await this.#try(async () => {
      this.#project.sessions.put(await this.#project.call("session.restore", { id }));
      this.said = `${name} restored.`;
    });
    if (!this.error) await this.load();
  }

  async cleanUp(): Promise<void> {
    await this.#try(async () => {
      this.said = cleanedUp(await this.#project.call("session.cleanup", {}));
      await this.#project.sessions.reload();
    });
    if (!this.error) await this.load();
  }

  async #try(work: () => Promise<void>): Promise<void> {
    this.error = null;
    try {
      await work();
    } catch (thrown) {
      this.error = asCallError(thrown);
    }
  }
}

/** The result of a cleanup, as text. */
export function cleanedUp({
  closed_drafts,
  removed,
  warnings,
}: Pick<CleanedUp, "closed_drafts" | "removed" | "warnings">): string {
  const did = [
    closed_drafts.length > 0 ? `Old drafts closed: ${closed_drafts.length}.` : "",
    removed.length > 0 ? `Permanently deleted: ${removed.length}.` : "",
    ...warnings.map(notice),
  ].filter(Boolean);
  return did.length > 0 ? did.join(" ") : "Nothing to clean up.";
}
