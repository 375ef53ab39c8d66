/** The worktrees of a project: what each takes, and what is done about them. */
import type { WorktreeLoss, WorktreeSetup, WorktreeShown, Worktrees as Listed } from "../../generated/api";
import { asCallError, type CallError } from "../../platform";
import type { Call } from "../../state/memories.svelte";
import { plural } from "../../words/count";
import { sentence } from "../../words/text";

export class Worktrees {
  listed = $state.raw<Listed | null>(null);
  setup = $state.raw<WorktreeSetup | null>(null);
  /** What would be lost with the one that is to be removed, for the person to look at. */
  loss = $state.raw<WorktreeLoss | null>(null);
  error = $state.raw<CallError | null>(null);
  /** The folder of the one that something is done about. */
  busy = $state<string | null>(null);
  /** What was done last, in a sentence. */
  said = $state("");

  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  async read(): Promise<void> {
    await this.#try("", async () => {
      this.listed = await this.#call("worktree.list", {});
      this.setup = await this.#call("worktree.setup", {});
    });
  }

  /** One that loses nothing goes at once; of another the loss is shown first. */
  async remove({ path, clean }: WorktreeShown): Promise<void> {
    await this.#try(path, async () => {
      if (clean) await this.#remove(path, null);
      else await this.#look(path);
    });
  }

  /** What was shown may be lost; what came since is shown again. */
  async removeSeen(): Promise<void> {
    const seen = this.loss;
    if (!seen) return;
    const done = await this.#try(seen.path, () => this.#remove(seen.path, seen.fingerprint));
    if (done) this.loss = null;
    else if (this.error?.code === "confirmation_needed") await this.#look(seen.path);
  }

  async restore({ path, session }: WorktreeShown): Promise<void> {
    if (!session) return;
    await this.#try(path, async () => {
      const { action, warnings } = await this.#call("worktree.restore", { session: session.id });
      this.said = [action ?? "It is there.", ...warnings].map(sentence).join(" ");
      this.listed = await this.#call("worktree.list", {});
    });
  }

  async allowSetup(): Promise<void> {
    const fingerprint = this.setup?.fingerprint;
    if (!fingerprint) return;
    await this.#try("", async () => void (this.setup = await this.#call("worktree.allow_setup", { fingerprint })));
  }

  async #look(path: string): Promise<void> {
    this.loss = await this.#call("worktree.loss", { path });
  }

  async #remove(path: string, seen: string | null): Promise<void> {
    const { branch } = await this.#call("worktree.remove", { path, force: seen !== null, seen });
    this.said = branch ? `Removed; the branch ${branch} stays.` : "Removed.";
    this.listed = await this.#call("worktree.list", {});
  }

  async #try(path: string, work: () => Promise<void>): Promise<boolean> {
    this.busy = path;
    this.error = null;
    this.said = "";
    try {
      await work();
      return true;
    } catch (thrown) {
      this.error = asCallError(thrown);
      return false;
    } finally {
      this.busy = null;
    }
  }
}

/** `48 MB`, with a plus where not all of it was counted. */
export function size(bytes: number, counted = true): string {
  const units = ["B", "kB", "MB", "GB", "TB"] as const;
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  const number = unit === 0 || value >= 9.95 ? Math.round(value).toString() : value.toFixed(1);
  return `${number} ${units[unit]}${counted ? "" : "+"}`;
}

/** How one is, in a few words. */
export function standing(tree: WorktreeShown): string {
  if (tree.trouble) return "cannot be looked into";
  if (tree.state === "gone") return "gone";
  if (tree.state === "moved") return `moved to ${tree.moved_to ?? "another folder"}`;
  const counts = [
    tree.uncommitted > 0 ? `${tree.uncommitted} uncommitted` : "",
    tree.untracked > 0 ? `${tree.untracked} untracked` : "",
    tree.commits > 0 ? `${plural(tree.commits, "commit")} of its own` : "",
  ].filter(Boolean);
  return [tree.clean ? "clean" : "", ...counts].filter(Boolean).join(", ");
}
