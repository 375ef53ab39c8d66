/** The beads of one project, in their board columns. */
import type { Bead, BeadId, ProjectKey } from "../generated/api";
import { asCallError, type Host } from "../platform";
import { isAgent } from "../words/people";
import { oneLine } from "../words/text";
import { LOADING, READY, type Phase } from "./phase";

export type ColumnId = "blocked" | "ready" | "in_progress" | "in_review" | "closed";

export const COLUMNS: { id: ColumnId; name: string }[] = [
  { id: "blocked", name: "Blocked" },
  { id: "ready", name: "Ready" },
  { id: "in_progress", name: "In progress" },
  { id: "in_review", name: "In review" },
  { id: "closed", name: "Closed" },
];

/** The column of a bead; null for deleted and pinned beads. */
export function columnOf(bead: Bead): ColumnId | null {
  switch (bead.status) {
    case "tombstone":
    case "pinned":
      return null;
    case "closed":
    case "in_review":
    case "in_progress":
      return bead.status;
    case "open":
      return bead.ready ? "ready" : "blocked";
    default:
      return bead.ready ? "ready" : "blocked";
  }
}

/** A change that is shown before the tracker has confirmed it: per bead, the bead after it; null if it is deleted. */
export type Overlay = ReadonlyMap<BeadId, <T extends Bead>(bead: T) => T | null>;

export class Beads {
  #loaded = $state.raw<Bead[]>([]);
  #overlays = $state.raw<readonly Overlay[]>([]);
  readonly list = $derived(overlaid(this.#loaded, this.#overlays));
  warnings = $state.raw<string[]>([]);
  phase = $state.raw<Phase>(LOADING);
  /** When the list was last loaded, in milliseconds. */
  readAt = $state(0);
  /** The number of loads. */
  loads = $state(0);

  readonly byId = $derived(new Map(this.list.map((bead) => [bead.id, bead])));
  readonly columns = $derived.by(() => {
    const columns: Record<ColumnId, Bead[]> = { blocked: [], ready: [], in_progress: [], in_review: [], closed: [] };
    for (const bead of this.list) {
      const column = columnOf(bead);
      if (column) columns[column].push(bead);
    }
    for (const [id, beads] of Object.entries(columns)) beads.sort(id === "closed" ? byClosing : byUrgency);
    return columns;
  });
  /** The number of children of each parent, and how many are closed. */
  readonly childrenOf = $derived.by(() => {
    const map = new Map<BeadId, { all: number; closed: number }>();
    for (const bead of this.list) {
      if (!bead.parent) continue;
      const counts = map.get(bead.parent) ?? { all: 0, closed: 0 };
      map.set(bead.parent, { all: counts.all + 1, closed: counts.closed + (bead.status === "closed" ? 1 : 0) });
    }
    return map;
  });
  readonly labels = $derived([...new Set(this.list.flatMap((bead) => bead.labels))].sort());
  readonly assignees = $derived(
    [...new Set(this.list.flatMap((bead) => (isAgent(bead.assignee) ? [] : (bead.assignee ?? []))))].sort(),
  );

  readonly #host: Host;
  readonly #key: ProjectKey;
  #reading: Promise<void> | undefined;
  #again = false;
  /** Beads that were answered while a load was under way, which may have begun before. */
  #answered = new Map<BeadId, Bead | null>();

  constructor(host: Host, key: ProjectKey) {
    this.#host = host;
    this.#key = key;
  }

  get(id: BeadId | undefined): Bead | undefined {
    return id === undefined ? undefined : this.byId.get(id);
  }

  /** Shows a change until the returned function is called. */
  overlay(overlay: Overlay): () => void {
    this.#overlays = [...this.#overlays, overlay];
    return () => (this.#overlays = this.#overlays.filter((other) => other !== overlay));
  }

  /** The bead with the changes that the tracker has not confirmed yet; null if it is deleted. */
  shown<T extends Bead>(bead: T): T | null {
    return afterOverlays(bead, this.#overlays);
  }

  /** Stores a bead from a command's answer. */
  put(bead: Bead): void {
    const one = clean(bead);
    this.#answered.set(one.id, one);
    const at = this.#loaded.findIndex(({ id }) => id === one.id);
    this.#loaded = at < 0 ? [...this.#loaded, one] : this.#loaded.with(at, one);
  }

  /** Removes a bead that was deleted. */
  drop(id: BeadId): void {
    this.#answered.set(id, null);
    this.#loaded = this.#loaded.filter((bead) => bead.id !== id);
  }

  /** Loads the list. Calls during a load result in one more load after it. */
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
      this.#answered.clear();
      try {
        const { beads, warnings } = await this.#host.call("bead.list", {}, this.#key);
        this.#loaded = newest(beads.map(clean), this.#answered);
        if (this.#answered.size > 0) this.#again = true;
        this.warnings = warnings;
        this.readAt = Date.now();
        this.loads++;
        this.phase = READY;
      } catch (thrown) {
        this.phase = { state: "failed", error: asCallError(thrown) };
      }
    } while (this.#again);
  }
}

/** A list whose load may have begun before the answers. */
function newest(list: Bead[], answered: ReadonlyMap<BeadId, Bead | null>): Bead[] {
  if (answered.size === 0) return list;
  const known = new Set(list.map(({ id }) => id));
  const added = [...answered.values()].filter((bead) => bead !== null && !known.has(bead.id)) as Bead[];
  return [...list, ...added].flatMap((bead) => {
    const answer = answered.get(bead.id);
    if (answer === null) return [];
    return answer && (answer.updated_at ?? "") > (bead.updated_at ?? "") ? answer : bead;
  });
}

function overlaid(list: Bead[], overlays: readonly Overlay[]): Bead[] {
  if (overlays.length === 0) return list;
  return list.flatMap((bead) => afterOverlays(bead, overlays) ?? []);
}

function afterOverlays<T extends Bead>(bead: T, overlays: readonly Overlay[]): T | null {
  let now: T | null = bead;
  for (const overlay of overlays) {
    const change = overlay.get(bead.id);
    if (change && now) now = change(now);
  }
  return now;
}

/** Reduces titles and names to one safe line each. */
function clean(bead: Bead): Bead {
  const title = oneLine(bead.title) || bead.id;
  const labels = [...new Set(bead.labels.map(oneLine).filter((label) => label !== ""))];
  return { ...bead, title, labels, ...(bead.assignee ? { assignee: oneLine(bead.assignee) } : {}) };
}

function byUrgency(a: Bead, b: Bead): number {
  return a.priority - b.priority || (a.created_at ?? "").localeCompare(b.created_at ?? "") || a.id.localeCompare(b.id);
}

function byClosing(a: Bead, b: Bead): number {
  return (b.closed_at ?? "").localeCompare(a.closed_at ?? "") || a.id.localeCompare(b.id);
}
