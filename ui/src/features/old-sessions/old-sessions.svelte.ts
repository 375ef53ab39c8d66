/** Long-paused and deleted sessions of a project, reloaded after every deletion, restore and cleanup. */
import { Operation } from "../../components/operation.svelte";
import type { CleanedUp, StaleSessions, Trash } from "../../generated/api";
import type { Project } from "../../state/project.svelte";
import { notice } from "../../words/errors";

export class OldSessions extends Operation {
  stale = $state.raw<StaleSessions | null>(null);
  trash = $state.raw<Trash | null>(null);
  /** The result of the last action. */
  said = $state("");

  readonly #project: Project;

  constructor(project: Project) {
    super();
    this.#project = project;
  }

  async reload(): Promise<void> {
    await this.try(async () => {
      [this.stale, this.trash] = await Promise.all([
        this.#project.call("session.stale", {}),
        this.#project.call("session.trash", {}),
      ]);
    });
  }

  /** Restores a session from the trash. */
  async restore(id: string, name: string): Promise<void> {
    const restored = await this.try(async () => {
      this.#project.sessions.put(await this.#project.call("session.restore", { id }));
      this.said = `${name} restored.`;
    });
    if (restored) await this.reload();
  }

  async cleanUp(): Promise<void> {
    this.busy = true;
    const done = await this.try(async () => {
      this.said = cleanedUp(await this.#project.call("session.cleanup", {}));
      await this.#project.sessions.reload();
    });
    if (done) await this.reload();
    this.busy = false;
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
