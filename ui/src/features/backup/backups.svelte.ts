/** A project's backup tiers, and the actions on them. */
import type { BackupDone, BackupStatus, Restore, SyncDirection } from "../../generated/api";
import { Operation } from "../../components/operation.svelte";
import type { Call } from "../../state/memories.svelte";
import { plural } from "../../words/count";
import { notice } from "../../words/errors";
import { sentence } from "../../words/text";

export class Backups extends Operation {
  status = $state.raw<BackupStatus | null>(null);
  /** The plan of a restore, once requested. */
  plan = $state.raw<Restore | null>(null);
  /** The action that runs; null if none does. */
  doing = $state<"load" | "backup" | "restore" | "sync" | null>(null);
  /** The result of the last action; empty if it failed or has nothing to report. */
  said = $state("");

  readonly #call: Call;

  constructor(call: Call) {
    super();
    this.#call = call;
  }

  /** Loads the state. The first time, it is shown before the tracker's remotes are known, since the tracker's program
   * is slow. */
  async read(): Promise<void> {
    await this.#perform("load", async () => {
      this.status ??= await this.#call("backup.status", {});
      this.status = await this.#call("backup.status", { tracker: true });
    });
  }

  backup(push: boolean): Promise<boolean> {
    return this.#perform("backup", async () => {
      this.said = resultOf(await this.#call("backup.run", { push }));
      this.status = await this.#call("backup.status", { tracker: true });
    });
  }

  /** Loads the plan of a restore; `fetch` first fetches the branch from the remote. */
  preview(fetch: boolean): Promise<boolean> {
    return this.#perform("restore", async () => void (this.plan = await this.#call("backup.preview", { fetch })));
  }

  restore(): Promise<boolean> {
    return this.#perform("restore", async () => {
      const done = await this.#call("backup.restore", {});
      this.plan = await this.#call("backup.preview", {});
      this.said = `Restored: ${newsOf(done)}.`;
    });
  }

  sync(direction: SyncDirection): Promise<boolean> {
    return this.#perform("sync", async () => {
      this.said = sentence((await this.#call("backup.sync_tracker", { direction })).said);
    });
  }

  async #perform(doing: NonNullable<Backups["doing"]>, work: () => Promise<void>): Promise<boolean> {
    this.doing = doing;
    this.said = "";
    const done = await this.try(work);
    this.doing = null;
    return done;
  }
}

function resultOf({ changed, push, warnings }: BackupDone): string {
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
  const counts = parts.flatMap(([{ added, changed }, one, many]) =>
    added + changed > 0 ? plural(added + changed, one, many) : [],
  );
  return counts.join(", ") || "nothing";
}
