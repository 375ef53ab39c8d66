/**
 * Changes of beads. Most are shown at once, sent as a command, and reverted if the tracker refuses them. The commands
 * of one bead are sent one after another. Reversible changes offer an undo.
 */
import type { Api, BeadCapabilities, BeadChange, BeadDetail, BeadId, BeadShown, NextStarted } from "../generated/api";
import { asCallError, type Call, type CallError } from "../platform";
import { applyChange, fieldsOf, inverseOf, saidOf, TEXTS, type Version } from "../words/bead-fields";
import { notice } from "../words/errors";
import type { Beads, Overlay } from "./beads.svelte";
import { isBlocking } from "./cycles";
import type { Toasts } from "./toasts.svelte";
import { UndoStack } from "./undo.svelte";

/** The bead after the change, or why it was refused. */
export type Outcome = { bead: BeadDetail; error: null } | { bead: null; error: CallError };

export interface EditOptions {
  /** The version that the user edited; by default the one in the list. */
  before?: Version | undefined;
  /** Shows no toast and offers no undo: the caller reports the outcome. */
  quiet?: boolean;
  /** Shows no toast for an error: the caller shows it. */
  silentErrors?: boolean;
}

/** How a command changes a bead on screen before the tracker confirms it; null if it deletes the bead. */
type Change = <T extends Version>(bead: T) => T | null;

export class BeadEdits {
  /** What the tracker can do; null until it is known. */
  capabilities = $state.raw<BeadCapabilities | null>(null);
  /** When the last change of each bead was saved, in milliseconds since the epoch. */
  savedAt = $state.raw<ReadonlyMap<BeadId, number>>(new Map());
  readonly undo: UndoStack;
  /** Called after the user closed a bead. */
  onclosed: (id: BeadId, next: NextStarted | null) => void = () => {};

  readonly #call: Call;
  readonly #beads: Beads;
  readonly #toasts: Toasts;
  /** The last command of each bead. */
  readonly #queues = new Map<BeadId, Promise<unknown>>();
  /** Per bead: each version that one of our own changes replaced, and the version that it made. */
  readonly #versions = new Map<BeadId, Map<string, { to: string; texts: boolean }>>();

  constructor(call: Call, beads: Beads, toasts: Toasts) {
    this.#call = call;
    this.#beads = beads;
    this.#toasts = toasts;
    this.undo = new UndoStack(toasts);
  }

  /** Why nothing can be changed; null if beads can be changed. */
  get readOnly(): string | null {
    return this.capabilities?.read_only ?? null;
  }

  async load(): Promise<void> {
    try {
      this.capabilities = await this.#call("bead.capabilities", {});
    } catch {
      // The board shows the error of an unreadable tracker.
    }
  }

  /** Why the tracker cannot store a field of `BeadChange`; null if it can. */
  unsupported(field: string): string | null {
    return this.capabilities?.unsupported.find((one) => one.field === field)?.why ?? null;
  }

  /** Shows why a change was refused. */
  report(error: CallError): void {
    this.#toasts.error(error);
  }

  /** Changes fields with one `bead.update`. It is refused with `bead_changed` if the bead changed after `before`. */
  change(id: BeadId, change: BeadChange, options: EditOptions = {}): Promise<Outcome> {
    const before = options.before ?? this.#beads.get(id);
    const version = before?.updated_at;
    const texts = fieldsOf(change).some((field) => [...TEXTS, "external_ref"].includes(field));
    return this.#run(id, (bead) => applyChange(bead, change, Date.now()), options, {
      send: async () => {
        const expected = version === undefined ? undefined : this.#newest(id, version, texts);
        const shown = await this.#call("bead.update", { id, change, ...(expected === undefined ? {} : { expected }) });
        if (expected !== undefined) this.#moved(id, expected, shown.bead.updated_at, true);
        return shown;
      },
      said: saidOf(id, change),
      back: before
        ? async ({ bead }) => {
            const undone = await this.change(id, inverseOf(before, change), { before: bead, quiet: true });
            if (undone.error?.code === "bead_changed")
              throw new Error(`${id} was changed since. The change was not undone.`);
            if (undone.error) throw undone.error;
          }
        : undefined,
    });
  }

  /** Moves a bead to a status with the command for it: close, submit, reopen or update. */
  async setStatus(id: BeadId, status: string, options: EditOptions = {}): Promise<Outcome> {
    const now = this.#beads.get(id)?.status;
    if (status === "closed") return this.close(id, undefined, options);
    if (status === "in_review") return this.submit(id, options);
    if (now !== "closed") return this.change(id, { status }, options);
    const reopened = await this.reopen(id, undefined, options);
    if (reopened.error || status === reopened.bead.status) return reopened;
    return this.change(id, { status }, { ...options, before: reopened.bead, quiet: true });
  }

  claim(id: BeadId): Promise<Outcome> {
    const before = this.#beads.get(id);
    return this.#run(
      id,
      (bead) => ({ ...bead, status: "in_progress", ready: false }),
      {},
      {
        send: () => this.#unconditional(id, "bead.claim", { id }),
        said: `${id} moved to in progress`,
        back: async ({ bead }) => {
          const change = { status: before?.status ?? "open", assignee: before?.assignee ?? "" };
          await this.#must(this.change(id, change, { before: bead, quiet: true }));
        },
      },
    );
  }

  close(id: BeadId, reason?: string, options: EditOptions = {}): Promise<Outcome> {
    return this.#close("bead.close", id, reason, options, `${id} closed`);
  }

  /** Closes a bead in review. */
  approve(id: BeadId, reason?: string, options: EditOptions = {}): Promise<Outcome> {
    return this.#close("bead.approve", id, reason, options, `${id} approved and closed`);
  }

  /** Requests changes with a comment. This cannot be undone, because the agent receives the comment. */
  reject(id: BeadId, text: string, options: EditOptions = {}): Promise<Outcome> {
    return this.#run(id, (bead) => ({ ...bead, status: "in_progress" }), options, {
      send: () => this.#unconditional(id, "bead.reject", { id, text }),
      said: `Changes requested on ${id}`,
    });
  }

  /**
   * `addStatus`: the user agreed to add the missing custom status to the tracker. `withoutCommit`: the user
   * agreed to submit although the work has no commit.
   */
  submit(id: BeadId, options: EditOptions & { addStatus?: boolean; withoutCommit?: boolean } = {}): Promise<Outcome> {
    const before = this.#beads.get(id);
    return this.#run(id, (bead) => ({ ...bead, status: "in_review", ready: false }), options, {
      send: () =>
        this.#unconditional(id, "bead.submit", {
          id,
          add_status: options.addStatus ?? false,
          without_commit: options.withoutCommit ?? false,
        }),
      said: `${id} moved to in review`,
      back: async ({ bead }) => {
        const status = before?.status ?? "in_progress";
        await this.#must(this.change(id, { status }, { before: bead, quiet: true }));
      },
    });
  }

  reopen(id: BeadId, reason?: string, options: EditOptions = {}): Promise<Outcome> {
    return this.#run(id, (bead) => ({ ...bead, status: "open", ready: bead.blocked_by.length === 0 }), options, {
      send: () => this.#unconditional(id, "bead.reopen", { id, ...(reason ? { reason } : {}) }),
      said: `${id} reopened`,
      back: async () => void (await this.#must(this.close(id, undefined, { quiet: true }))),
    });
  }

  /** Deletes a bead. The caller asks first if the tracker cannot restore it. */
  async delete(id: BeadId): Promise<void> {
    const take = this.#beads.overlay(new Map([[id, () => null]]));
    try {
      const { can_undo } = await this.#inTurn(id, () => this.#call("bead.delete", { id }));
      this.#beads.drop(id);
      const text = `${id} deleted`;
      if (can_undo) this.undo.offer({ text, run: () => this.undelete(id) });
      else this.#toasts.done(text);
    } catch (thrown) {
      this.#toasts.error(thrown);
    } finally {
      take();
      void this.#beads.reload();
    }
  }

  async undelete(id: BeadId): Promise<BeadShown> {
    const shown = await this.#inTurn(id, () => this.#call("bead.undelete", { id }));
    this.#beads.put(shown.bead);
    void this.#beads.reload();
    return shown;
  }

  /** Makes `id` depend on `on`. Check `cycleOf` first to refuse a known cycle at once. */
  addDependency(id: BeadId, on: BeadId, kind = "blocks", options: EditOptions = {}): Promise<Outcome> {
    return this.#depend(true, id, on, kind, options);
  }

  removeDependency(id: BeadId, on: BeadId, kind: string): Promise<Outcome> {
    return this.#depend(false, id, on, kind, {});
  }

  comment(id: BeadId, text: string): Promise<Outcome> {
    return this.#run(
      id,
      (bead) => bead,
      {},
      {
        send: () => this.#unconditional(id, "bead.comment", { id, text }),
        said: null,
      },
    );
  }

  #close(
    method: "bead.close" | "bead.approve",
    id: BeadId,
    reason: string | undefined,
    options: EditOptions,
    said: string,
  ): Promise<Outcome> {
    const before = this.#beads.get(id);
    const closed = new Date().toISOString();
    return this.#run(id, (bead) => ({ ...bead, status: "closed", ready: false, closed_at: closed }), options, {
      send: async () => {
        const closed = await this.#unconditional(id, method, { id, ...(reason ? { reason } : {}) });
        this.onclosed(id, closed.next ?? null);
        closed.warnings?.forEach((warning) => this.#toasts.done(notice(warning)));
        return closed;
      },
      said,
      back: async () => {
        const open = await this.#must(this.reopen(id, undefined, { quiet: true }));
        const status = before?.status ?? "open";
        if (status === open.status || status === "closed") return;
        if (status === "in_review") await this.#must(this.submit(id, { quiet: true, withoutCommit: true }));
        else await this.#must(this.change(id, { status }, { before: open, quiet: true }));
      },
    });
  }

  #depend(add: boolean, id: BeadId, on: BeadId, kind: string, options: EditOptions): Promise<Outcome> {
    const blocking = isBlocking(kind) && kind !== "parent-child";
    const put = (list: BeadId[], one: BeadId) => {
      const rest = list.filter((other) => other !== one);
      return add ? [...rest, one] : rest;
    };
    const waits = !["closed", "tombstone"].includes(this.#beads.get(on)?.status ?? "open");
    const change: Change = (bead) => {
      if (kind === "parent-child") return applyChange(bead, { parent: add ? on : "" }, Date.now());
      if (!blocking || !waits) return bead;
      const blocked_by = put(bead.blocked_by, on);
      const ready = add ? false : bead.ready || (bead.status === "open" && blocked_by.length === 0);
      return { ...bead, blocked_by, ready };
    };
    return this.#run(id, change, options, {
      send: () =>
        add
          ? this.#unconditional(id, "bead.dep_add", { id, depends_on: on, kind })
          : this.#unconditional(id, "bead.dep_remove", { id, depends_on: on, kind }),
      said: add ? `${id} depends on ${on}` : `${id} no longer depends on ${on}`,
      back: async () => void (await this.#must(this.#depend(!add, id, on, kind, { quiet: true }))),
    });
  }

  /** Shows a change, sends it, and reverts it if it is refused. */
  async #run(
    id: BeadId,
    change: Change,
    options: EditOptions,
    command: {
      send: () => Promise<BeadShown>;
      said: string | null;
      back?: ((shown: BeadShown) => Promise<void>) | undefined;
    },
  ): Promise<Outcome> {
    const take = this.#beads.overlay(new Map([[id, change]]) as Overlay);
    try {
      const shown = await this.#inTurn(id, command.send);
      this.#beads.put(shown.bead);
      this.savedAt = new Map([...this.savedAt, [id, Date.now()]]);
      const { said, back } = command;
      if (said !== null && !options.quiet) {
        if (back) this.undo.offer({ text: said, run: () => back(shown) });
        else this.#toasts.done(said);
      }
      return { bead: shown.bead, error: null };
    } catch (thrown) {
      if (!options.quiet && !options.silentErrors) this.#toasts.error(thrown);
      return { bead: null, error: asCallError(thrown) };
    } finally {
      take();
      void this.#beads.reload();
    }
  }

  /** Runs the commands of one bead one after another, even if an earlier one was refused. */
  #inTurn<T>(id: BeadId, send: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(id) ?? Promise.resolve();
    const mine = before.then(send, send);
    this.#queues.set(id, mine);
    const forget = () => this.#queues.get(id) === mine && this.#queues.delete(id);
    mine.then(forget, forget);
    return mine;
  }

  /** Runs a command without an expected version, and records the bead's new version for later edits from the list. */
  async #unconditional<K extends keyof Api>(
    id: BeadId,
    method: K,
    params: Api[K]["params"] & { id: BeadId },
  ): Promise<Api[K]["result"] & BeadShown> {
    const version = this.#beads.get(id)?.updated_at;
    const shown = (await this.#call(method, params)) as Api[K]["result"] & BeadShown;
    if (version !== undefined) this.#moved(id, version, shown.bead.updated_at, false);
    return shown;
  }

  async #must(outcome: Promise<Outcome>): Promise<BeadDetail> {
    const { bead, error } = await outcome;
    if (error) throw error;
    return bead;
  }

  /** Records that our change replaced a version. `texts`: whether all other texts are known to be unchanged. */
  #moved(id: BeadId, from: string, to: string | undefined, texts: boolean): void {
    if (to === undefined || from === to) return;
    const known = this.#versions.get(id) ?? new Map<string, { to: string; texts: boolean }>();
    known.set(from, { to, texts });
    this.#versions.set(id, known);
  }

  /** Follows our own changes from a version to the newest one. `texts`: only changes that kept other texts. */
  #newest(id: BeadId, version: string, texts: boolean): string {
    const known = this.#versions.get(id);
    let now = version;
    for (let next = known?.get(now); next && (next.texts || !texts); next = known?.get(now)) now = next.to;
    return now;
  }
}
