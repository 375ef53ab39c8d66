/** The beads of one project, in their board columns. */
import type { Bead, BeadId, BeadList, ProjectKey } from "../generated/api";
import { asCallError, type Host } from "../platform";
import { oneLine } from "../words/text";
import { BeadTable } from "./bead-table";
import { LOADING, READY, type Phase } from "./phase";

export { columnOf, COLUMNS, type ColumnId } from "./bead-columns";

/** The number of beads per column that the first load requests. */
export const FIRST_PAGE = 60;

/** A change that the tracker has not confirmed yet: per bead, the function that applies it; it returns null for a
 * deletion. */
export type Overlay = ReadonlyMap<BeadId, <T extends Bead>(bead: T) => T | null>;
/** Beads from the answers of commands; null for deleted ones. */
type Answers = ReadonlyMap<BeadId, Bead | null>;

export class Beads {
  warnings = $state.raw<string[]>([]);
  phase = $state.raw<Phase>(LOADING);
  /** When the list was last loaded, in milliseconds since the epoch. */
  readAt = $state(0);
  /** The number of successful loads. */
  loads = $state(0);
  /** Whether only the first beads of each column are loaded yet. */
  partial = $state(false);

  /** The beads as loaded, before answers and overlays. */
  readonly #loaded = new Map<BeadId, Bead>();
  #answers: Answers = new Map();
  #overlays = $state.raw<readonly Overlay[]>([]);
  /** The beads as shown. */
  readonly #table = new BeadTable();
  /** Counts the changes of the table. */
  #version = $state(0);
  /** The server's ID of the loaded content; the next load requests only the changes since. */
  #content: string | undefined;

  readonly list = $derived((void this.#version, this.#table.list));
  readonly columns = $derived((void this.#version, this.#table.columns));
  /** The number of children of each parent, and how many are closed. */
  readonly childrenOf = $derived((void this.#version, this.#table.childrenOf));
  readonly labels = $derived((void this.#version, this.#table.labels));
  readonly assignees = $derived((void this.#version, this.#table.assignees));
  readonly byId = $derived((void this.#version, this.#table.byId()));

  readonly #host: Host;
  readonly #key: ProjectKey;
  #reading: Promise<void> | undefined;
  #again = false;

  constructor(host: Host, key: ProjectKey) {
    this.#host = host;
    this.#key = key;
  }

  get(id: BeadId | undefined): Bead | undefined {
    void this.#version;
    return id === undefined ? undefined : this.#table.get(id);
  }

  /** Shows a change until the returned function is called. */
  overlay(overlay: Overlay): () => void {
    this.#overlays = [...this.#overlays, overlay];
    this.#show(overlay.keys());
    return () => {
      this.#overlays = this.#overlays.filter((other) => other !== overlay);
      this.#show(overlay.keys());
    };
  }

  /** The bead with the changes that the tracker has not confirmed yet; null if it is deleted. */
  shown<T extends Bead>(bead: T): T | null {
    return afterOverlays(bead, this.#overlays);
  }

  /** Shows a bead from a command's answer, until a load that started later replaces it. */
  put(bead: Bead): void {
    this.#answer(bead.id, clean(bead));
  }

  /** Removes a bead that was deleted. */
  drop(id: BeadId): void {
    this.#answer(id, null);
  }

  #answer(id: BeadId, bead: Bead | null): void {
    this.#answers = new Map(this.#answers).set(id, bead);
    this.#show([id]);
  }

  /** Loads the list, or its changes. Calls during a load cause one more load after it. */
  reload(): Promise<void> {
    if (this.#reading) {
      this.#again = true;
      return this.#reading;
    }
    this.#reading = this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<void> {
    do {
      this.#again = false;
      const earlierAnswers = this.#answers;
      const first = this.phase.state !== "ready" && this.#loaded.size === 0;
      const params = this.#content !== undefined ? { since: this.#content } : first ? { page: FIRST_PAGE } : {};
      try {
        this.#receive(await this.#host.call("bead.list", params, this.#key), earlierAnswers);
        this.loads++;
        this.phase = READY;
      } catch (thrown) {
        this.phase = { state: "failed", error: asCallError(thrown) };
      }
    } while (this.#again);
  }

  /** `earlierAnswers`: the answers that arrived before this load started, and which it therefore includes. */
  #receive(list: BeadList, earlierAnswers: Answers): void {
    const changed = new Set<BeadId>(list.removed);
    if (!list.changes_only) {
      for (const id of this.#loaded.keys()) changed.add(id);
      for (const { id } of list.beads) changed.delete(id);
    }
    for (const id of changed) this.#loaded.delete(id);
    for (const bead of list.beads) {
      const [before, after] = [this.#loaded.get(bead.id), clean(bead)];
      if (before && areEqual(before, after)) continue;
      this.#loaded.set(bead.id, after);
      changed.add(bead.id);
    }
    const later = [...this.#answers].filter(([id, bead]) => earlierAnswers.get(id) !== bead);
    for (const id of earlierAnswers.keys()) changed.add(id);
    this.#answers = new Map(later);
    this.#show(changed);
    // Loads again if an answer arrived during this load, which may not include it, or if only the first page is
    // loaded.
    this.partial = (list.total ?? 0) > list.beads.length;
    this.#again ||= later.length > 0 || this.partial;
    this.#content = this.partial ? undefined : list.content;
    this.warnings = list.warnings;
    this.readAt = Date.now();
  }

  /** Updates these beads in the table. */
  #show(ids: Iterable<BeadId>): void {
    const changes = new Map<BeadId, Bead | null>();
    for (const id of ids) {
      const answer = this.#answers.get(id);
      const bead = answer === undefined ? (this.#loaded.get(id) ?? null) : answer;
      changes.set(id, bead && afterOverlays(bead, this.#overlays));
    }
    if (this.#table.apply(changes)) this.#version++;
  }
}

function afterOverlays<T extends Bead>(bead: T, overlays: readonly Overlay[]): T | null {
  let now: T | null = bead;
  for (const overlay of overlays) {
    const change = overlay.get(bead.id);
    if (change && now) now = change(now);
  }
  return now;
}

/** Visible ASCII with single spaces: nearly every text. Such texts need no cleaning. */
const isPlain = (text: string): boolean => text !== "" && !/[^\x20-\x7e]| {2}|^ | $/.test(text);

/** Reduces titles and names to one safe line each. */
function clean(bead: Bead): Bead {
  const { title, labels, assignee } = bead;
  const plainLabels = labels.every(isPlain) && (labels.length < 2 || new Set(labels).size === labels.length);
  if (isPlain(title) && plainLabels && (assignee === undefined || isPlain(assignee))) return bead;
  const safe = [...new Set(labels.map(oneLine).filter((label) => label !== ""))];
  const name = assignee ? { assignee: oneLine(assignee) } : {};
  return { ...bead, title: oneLine(title) || bead.id, labels: safe, ...name };
}

function areEqual(a: Bead, b: Bead): boolean {
  const fields = Object.keys(a) as (keyof Bead)[];
  return (
    fields.length === Object.keys(b).length &&
    fields.every((field) => {
      const [one, other] = [a[field], b[field]];
      if (one === other) return true;
      return typeof one === "object" && JSON.stringify(one) === JSON.stringify(other);
    })
  );
}
