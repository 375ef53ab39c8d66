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

export class Beads {
  list = $state.raw<Bead[]>([]);
  warnings = $state.raw<string[]>([]);
  phase = $state.raw<Phase>(LOADING);
  /** When the list was last loaded, in milliseconds. */
  readAt = $state(0);

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

  constructor(host: Host, key: ProjectKey) {
    this.#host = host;
    this.#key = key;
  }

  get(id: BeadId | undefined): Bead | undefined {
    return id === undefined ? undefined : this.byId.get(id);
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
      try {
        const { beads, warnings } = await this.#host.call("bead.list", {}, this.#key);
        this.list = beads.map(clean);
        this.warnings = warnings;
        this.readAt = Date.now();
        this.phase = READY;
      } catch (thrown) {
        this.phase = { state: "failed", error: asCallError(thrown) };
      }
    } while (this.#again);
  }
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
