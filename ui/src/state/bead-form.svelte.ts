/**
 * Editing one bead: its newest version, the fields being edited, and edits that conflict with a newer version. A
 * field is saved against the version on which its edit is based, so a newer value is never overwritten unseen.
 */
import type { BeadChange, BeadDetail, BeadId, BeadShown } from "../generated/api";
import { asCallError, type Call, type CallError } from "../platform";
import { applyChange, changedFields, valueOf, type FieldName } from "../words/bead-fields";
import type { BeadEdits } from "./bead-edits.svelte";
import type { Beads } from "./beads.svelte";

/** An edit of one field that is not saved yet. */
export interface Draft {
  field: FieldName;
  /** The value as text, as in `valueOf`. */
  text: string;
  /** The change that saves the edit. */
  change: BeadChange;
  /** The version on which the edit is based. */
  base: BeadDetail;
  /** The newer version with another value of this field; null without a conflict. */
  theirs: BeadDetail | null;
  /** Why the last attempt to save the edit failed. */
  error: CallError | null;
}

/** A change by another user or program while a field is edited. */
export interface Elsewhere {
  fields: FieldName[];
  at: string | undefined;
  /** The author of the change, once known. */
  by: string | null;
}

export class BeadForm {
  readonly id: BeadId;
  shown = $state.raw<BeadShown | null>(null);
  error = $state.raw<CallError | null>(null);
  /** Why saving is impossible: the bead was deleted, or the project is no longer available. */
  gone = $state<"bead" | "project" | null>(null);
  drafts = $state.raw<ReadonlyMap<FieldName, Draft>>(new Map());
  elsewhere = $state.raw<Elsewhere | null>(null);
  /** The comment that is being written. */
  comment = $state("");
  /** The number of changes in progress. */
  saving = $state(0);
  /** The bead with its unconfirmed changes. */
  readonly bead: BeadDetail | null = $derived.by(() => {
    const detail = this.shown?.bead;
    return detail ? (this.#beads.shown(detail) ?? detail) : null;
  });
  /** The drafts that conflict with a newer version. */
  readonly stale: readonly Draft[] = $derived([...this.drafts.values()].filter(({ theirs }) => theirs !== null));

  readonly #call: Call;
  readonly #beads: Beads;
  readonly #edits: BeadEdits;
  #reading = 0;

  constructor(id: BeadId, call: Call, beads: Beads, edits: BeadEdits) {
    this.id = id;
    this.#call = call;
    this.#beads = beads;
    this.#edits = edits;
  }

  /** Whether closing the form would lose something. */
  get unsaved(): boolean {
    return [...this.drafts.values()].some(isChanged) || this.comment.trim() !== "";
  }

  async read(): Promise<void> {
    const mine = ++this.#reading;
    try {
      const shown = await this.#call("bead.show", { id: this.id });
      if (mine !== this.#reading) return;
      this.#receive(shown);
      [this.error, this.gone] = [null, null];
    } catch (thrown) {
      if (mine !== this.#reading) return;
      const error = asCallError(thrown);
      this.error = error;
      if (!this.shown) return;
      if (error.code === "bead_not_found") this.gone = "bead";
      if (error.code === "project_not_found" || error.code === "no_beads") this.gone = "project";
    }
  }

  /** Begins or continues the edit of a field. */
  draft(field: FieldName, text: string, change: BeadChange): void {
    const old = this.drafts.get(field);
    const base = old?.base ?? this.shown?.bead;
    if (!base) return;
    this.#put({ field, text, change, base, theirs: old?.theirs ?? null, error: null });
  }

  /** Ends the edit of a field without saving. Returns the draft, to be restored. */
  discard(field: FieldName): Draft | undefined {
    const old = this.drafts.get(field);
    const drafts = new Map(this.drafts);
    drafts.delete(field);
    this.drafts = drafts;
    if (drafts.size === 0) this.elsewhere = null;
    return old;
  }

  restore(draft: Draft): void {
    this.#put(draft);
  }

  /** Saves the edit of a field. Returns false if it was not saved; its draft, if any, is then kept. */
  async save(field: FieldName): Promise<boolean> {
    const draft = this.drafts.get(field);
    if (!draft || this.gone) return false;
    if (!isChanged(draft)) this.discard(field);
    else if (draft.theirs) return false;
    else return this.#send(draft);
    return true;
  }

  /** Changes a field at once, for a choice from a menu. If the change is refused, the field returns to its old
   * value. */
  async set(field: FieldName, change: BeadChange): Promise<boolean> {
    const base = this.shown?.bead;
    if (!base || this.gone) return false;
    const text = valueOf(applyChange(base, change, Date.now()), field);
    const draft: Draft = { field, text, change, base, theirs: null, error: null };
    return !isChanged(draft) || this.#send(draft, true);
  }

  /** Saves the stale drafts over the newer version that the user has seen. */
  async keepMine(): Promise<void> {
    for (const draft of this.stale) {
      if (!draft.theirs) continue;
      const mine = { ...draft, base: draft.theirs, theirs: null };
      this.#put(mine);
      await this.#send(mine);
    }
  }

  /** Discards the stale drafts, and returns them. */
  takeTheirs(): Draft[] {
    const discarded = [...this.stale];
    for (const { field } of discarded) this.discard(field);
    return discarded;
  }

  /** Runs a change of the bead and shows its result. */
  async run<T extends { bead: BeadDetail | null }>(work: () => Promise<T>): Promise<T> {
    this.saving++;
    try {
      const outcome = await work();
      if (outcome.bead && this.shown) this.#receive({ ...this.shown, bead: outcome.bead }, true);
      return outcome;
    } finally {
      this.saving--;
    }
  }

  /** `chosen`: the user chose the value from a list, so a refused draft is not kept. */
  async #send(draft: Draft, chosen = false): Promise<boolean> {
    const { field, change, base } = draft;
    // The optimistic value is shown in place of the field.
    this.discard(field);
    const options = { before: base, silentErrors: true };
    const { error } = await this.run(() => this.#edits.change(this.id, change, options));
    if (!error) return true;
    if (error.code === "bead_changed") {
      this.#put(draft);
      await this.read();
      const now = this.drafts.get(field);
      // Only other fields changed, so the draft is sent again on the new version.
      if (now && !now.theirs && now.base !== base) return this.#send(now, chosen);
      if (now && !now.theirs) this.#refused(now, error, chosen);
      return false;
    }
    this.#refused(draft, error, chosen);
    if (error.code === "bead_not_found") await this.read();
    return false;
  }

  #refused(draft: Draft, error: CallError, chosen: boolean): void {
    if (!chosen) this.#put({ ...draft, error });
    else {
      this.discard(draft.field);
      this.#edits.report(error);
    }
  }

  /** Shows a newer version. `own`: our own change made it. */
  #receive(shown: BeadShown, own = false): void {
    const before = this.shown?.bead;
    this.shown = shown;
    const now = shown.bead;
    if (!before || before.updated_at === now.updated_at) return;
    const drafts = new Map(this.drafts);
    for (const [field, draft] of drafts) {
      drafts.set(field, rebased(draft, now));
    }
    const fields = own || this.saving > 0 ? [] : changedFields(before, now);
    if (drafts.size > 0) {
      this.drafts = drafts;
      if (fields.length > 0) void this.#noteElsewhere(fields, now);
    }
  }

  /** Notes a change elsewhere, with its author if the tracker records it. */
  async #noteElsewhere(fields: FieldName[], now: BeadDetail): Promise<void> {
    const known = this.elsewhere?.fields.filter((field) => !fields.includes(field)) ?? [];
    this.elsewhere = { fields: [...known, ...fields], at: now.updated_at, by: null };
    try {
      const { events } = await this.#call("bead.audit", { id: this.id });
      const by = events.at(-1)?.actor;
      if (by && this.elsewhere?.at === now.updated_at) this.elsewhere = { ...this.elsewhere, by };
    } catch {
      // The author is not essential.
    }
  }

  #put(draft: Draft): void {
    this.drafts = new Map([...this.drafts, [draft.field, draft]]);
  }
}

/** Whether the user changed the value. */
export function isChanged({ field, text, base }: Draft): boolean {
  return text !== valueOf(base, field);
}

/** The draft rebased on the bead's new version. */
function rebased(draft: Draft, now: BeadDetail): Draft {
  const { field, text, base } = draft;
  const theirs = valueOf(now, field);
  // Labels are added and removed one by one, so nothing is overwritten.
  if (field === "labels" || theirs === valueOf(base, field) || theirs === text)
    return { ...draft, base: now, theirs: null };
  return isChanged(draft) ? { ...draft, theirs: now } : { ...draft, text: theirs, base: now };
}

/** All unsaved texts of a form, for the clipboard. */
export function textOf(form: BeadForm): string {
  const texts = [...form.drafts.values()].map(({ text }) => text);
  return [...texts, form.comment].filter((text) => text.trim() !== "").join("\n\n");
}
