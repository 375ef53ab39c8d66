/** The worktrees of a project, and the actions on them. */
import { Operation } from "../../components/operation.svelte";
import type { WorktreeLoss, WorktreeSetup, WorktreeShown, Worktrees as Listed } from "../../generated/api";
import type { Call } from "../../state/memories.svelte";
import { plural } from "../../words/count";
import { notice } from "../../words/errors";

export class Worktrees extends Operation {
  listed = $state.raw<Listed | null>(null);
  setup = $state.raw<WorktreeSetup | null>(null);
  /** The content that removing the chosen worktree would lose, for confirmation. */
  loss = $state.raw<WorktreeLoss | null>(null);
  /** The path of the worktree of the last action; empty for an action on all of them. */
  path = $state("");
  /** The result of the last action. */
  said = $state("");

  readonly #call: Call;

  constructor(call: Call) {
    super();
    this.#call = call;
  }

  async read(): Promise<void> {
    await this.#act("", async () => {
      this.listed = await this.#call("worktree.list", {});
      this.setup = await this.#call("worktree.setup", {});
    });
  }

  /** Removes a clean worktree at once; for others, shows what would be lost. */
  async remove({ path, clean }: WorktreeShown): Promise<void> {
    await this.#act(path, async () => {
      if (clean) await this.#remove(path, null);
      else await this.#loadLoss(path);
    });
  }

  /** Removes the worktree after the user saw the loss. If the loss has changed since, it is shown again. */
  async removeSeen(): Promise<void> {
    const seen = this.loss;
    if (!seen) return;
    const done = await this.#act(seen.path, () => this.#remove(seen.path, seen.fingerprint));
    if (done) this.loss = null;
    else if (this.error?.code === "confirmation_needed") await this.#loadLoss(seen.path);
  }

  async restore({ path, session }: WorktreeShown): Promise<void> {
    if (!session) return;
    await this.#act(path, async () => {
      const { action, warnings } = await this.#call("worktree.restore", { session: session.id });
      this.said = [action ?? "The worktree is in place.", ...warnings].map(notice).join(" ");
      this.listed = await this.#call("worktree.list", {});
    });
  }

  async allowSetup(): Promise<void> {
    const fingerprint = this.setup?.fingerprint;
    if (!fingerprint) return;
    await this.#act("", async () => void (this.setup = await this.#call("worktree.allow_setup", { fingerprint })));
  }

  async #loadLoss(path: string): Promise<void> {
    this.loss = await this.#call("worktree.loss", { path });
  }

  async #remove(path: string, seen: string | null): Promise<void> {
    const { branch } = await this.#call("worktree.remove", { path, force: seen !== null, seen });
    this.said = branch ? `Removed. Branch ${branch} is kept.` : "Removed.";
    this.listed = await this.#call("worktree.list", {});
  }

  #act(path: string, work: () => Promise<void>): Promise<boolean> {
    this.path = path;
    this.said = "";
    return this.run(work);
  }
}

/** A worktree's state as text. */
export function stateOf(tree: WorktreeShown): string {
  if (tree.trouble) return "cannot be read";
  if (tree.state === "gone") return "missing";
  if (tree.state === "moved") return `moved to ${tree.moved_to ?? "another folder"}`;
  const counts = [
    tree.uncommitted > 0 ? `${tree.uncommitted} uncommitted` : "",
    tree.untracked > 0 ? `${tree.untracked} untracked` : "",
    tree.commits > 0 ? `${plural(tree.commits, "commit")} only here` : "",
  ].filter(Boolean);
  return [tree.clean ? "clean" : "", ...counts].filter(Boolean).join(", ");
}
