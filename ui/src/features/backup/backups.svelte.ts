/** A project's backup tiers, and the actions on them. */
import type { BackupDone, BackupStatus, Restore, SyncDirection } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";
import type { Call } from "../../state/memories.svelte";
import { plural } from "../../words/count";
import { notice } from "../../words/errors";
import { sentence } from "../../words/text";

export class Backups {
  status = $state.raw<BackupStatus | null>(null);
  /** The plan of a restore, once requested. */
  plan = $state.raw<Restore | null>(null);
  error = $state.raw<CallError | null>(null);
  /** The action that runs; null if none does. */
  doing = $state<"look" | "backup" | "restore" | "sync" | null>(null);
  /** The result of the last action. */
  said = $state("");

  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Loads the state, first without the tracker's remotes, since the tracker's program is slow. */
  async read(): Promise<void> {
    await this.#try("look", async () => {
      this.status ??= await this.#call("backup.status", {});
      this.status = await this.#call("backup.status", { tracker: true });
    });
  }

  backup(push: boolean): Promise<boolean> {
    return this.#try("backup", async () => {
      const done = await this.#call("backup.run", { push });
      this.said = saidOf(done);
      this.status = await this.#call("backup.status", { tracker: true });
    });
  }

  look(fetch: boolean): Promise<boolean> {
    return this.#try("restore", async () => void (this.plan = await this.#call("backup.preview", { fetch })));
  }

  restore(): Promise<boolean> {
    return this.#try("restore", async () => {
      const done = await this.#call("backup.restore", {});
      this.plan = await this.#call("backup.preview", {});
      this.said = `Restored: ${newsOf(done)}.`;
    });
  }

  sync(direction: SyncDirection): Promise<boolean> {
    return this.#try("sync", async () => {
      const { said } = await this.#call("backup.sync_tracker", { direction });
      this.said = sentence(said);
    });
  }

  async #try(doing: NonNullable<Backups["doing"]>, work: () => Promise<void>): Promise<boolean> {
    this.doing = doing;
    this.error = null;
    this.said = "";
    try {
      await work();
      return true;
    } catch (thrown) {
      this.error = asCallError(thrown);
      return false;
    } finally {
      this.doing = null;
    }
  }
}

function saidOf({ changed, push, warnings }: BackupDone): string {
  const made = changed ? "Backed up." : "Nothing new since the last backup.";
  const pushed =
    push.state === "done"
      ? ` Pushed to ${push.remote}.`
      : push.state === "failed"
        ? ` Not pushed: ${sentence(push.error)}`
        : push.state === "no_remote"
          ? " There is no remote to push to."
          : "";
  return [made + pushed, ...warnings.map(notice)].join(" ");
}

/** `3 beads, 1 memory`: the records that a restore adds or updates; `nothing` if none. */
export function newsOf({ beads, memories, sessions }: Pick<Restore, "beads" | "memories" | "sessions">): string {
  const parts = [
    [beads, "bead", "beads"],
    [memories, "memory", "memories"],
    [sessions, "session", "sessions"],
  ] as const;
  const said = parts
    .map(([{ added, changed }, one, many]) => [added + changed, one, many] as const)
    .filter(([n]) => n > 0);
  return said.length === 0 ? "nothing" : said.map(([n, one, many]) => plural(n, one, many)).join(", ");
}
