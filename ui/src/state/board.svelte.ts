/** The board's filter, keyboard cursor and selection. */
import type { Bead, BeadId } from "../generated/api";
import { grouped } from "../words/count";
import { COLUMNS, FIRST_PAGE, type Beads, type ColumnId } from "./beads.svelte";

export type FilterKind = "label" | "type" | "priority" | "assignee";
export type Direction = "left" | "right" | "up" | "down";

const EMPTY: Record<FilterKind, string[]> = { label: [], type: [], priority: [], assignee: [] };

export class Board {
  text = $state("");
  chosen = $state.raw<Record<FilterKind, string[]>>(EMPTY);
  cursor = $state<BeadId | null>(null);
  selected = $state.raw<ReadonlySet<BeadId>>(new Set());

  readonly #beads: Beads;

  constructor(beads: Beads) {
    this.#beads = beads;
  }

  readonly filtered = $derived.by(
    () => this.text.trim() !== "" || Object.values(this.chosen).some((c) => c.length > 0),
  );
  readonly columns = $derived.by((): Record<ColumnId, Bead[]> => {
    const all = this.#beads.columns;
    if (!this.filtered) return all;
    const matches = matcher(this.text, this.chosen);
    const keep = (id: ColumnId) => all[id].filter(matches);
    return {
      blocked: keep("blocked"),
      ready: keep("ready"),
      in_progress: keep("in_progress"),
      in_review: keep("in_review"),
      closed: keep("closed"),
    };
  });
  readonly shownCount = $derived(COLUMNS.reduce((n, { id }) => n + this.columns[id].length, 0));
  readonly allCount = $derived(COLUMNS.reduce((n, { id }) => n + this.#beads.columns[id].length, 0));

  /** `6/8` if a filter hides some, else `8`; `60+` while the rest is loaded. */
  countOf(id: ColumnId): string {
    const [shown, all] = [this.columns[id].length, this.#beads.columns[id].length];
    if (this.#beads.partial && all >= FIRST_PAGE) return `${grouped(shown)}+`;
    return this.filtered && shown !== all ? `${grouped(shown)}/${grouped(all)}` : grouped(all);
  }

  toggle(kind: FilterKind, value: string): void {
    const now = this.chosen[kind];
    this.chosen = { ...this.chosen, [kind]: now.includes(value) ? now.filter((v) => v !== value) : [...now, value] };
  }

  clear(kind?: FilterKind): void {
    if (kind) this.chosen = { ...this.chosen, [kind]: [] };
    else {
      this.chosen = EMPTY;
      this.text = "";
    }
  }

  /** The cursor position; until it is moved, the first ready bead, else the first bead. */
  readonly place = $derived.by((): { column: ColumnId; at: number; bead: Bead } | null => {
    for (const { id } of COLUMNS) {
      const at = this.columns[id].findIndex((bead) => bead.id === this.cursor);
      const bead = this.columns[id][at];
      if (bead) return { column: id, at, bead };
    }
    const column = this.columns.ready.length > 0 ? "ready" : COLUMNS.find(({ id }) => this.columns[id].length > 0)?.id;
    const bead = column && this.columns[column][0];
    return column && bead ? { column, at: 0, bead } : null;
  });

  /** Moves the cursor across expanded columns. */
  move(direction: Direction, open: readonly ColumnId[]): void {
    const { place } = this;
    if (!place) return;
    const beads = this.columns[place.column];
    let next: Bead | undefined;
    if (direction === "up" || direction === "down") {
      next = beads[place.at + (direction === "up" ? -1 : 1)];
    } else {
      const step = direction === "left" ? -1 : 1;
      const order = COLUMNS.map((c) => c.id).filter((id) => open.includes(id) || id === place.column);
      let at = order.indexOf(place.column) + step;
      while (at >= 0 && at < order.length && next === undefined) {
        const column = order[at];
        const others = column ? this.columns[column] : [];
        next = others[Math.min(place.at, others.length - 1)];
        at += step;
      }
    }
    this.cursor = (next ?? place.bead).id;
  }

  select(id: BeadId): void {
    const next = new Set(this.selected);
    if (!next.delete(id)) next.add(id);
    this.selected = next;
  }

  deselect(): void {
    this.selected = new Set();
  }
}

function matcher(text: string, chosen: Record<FilterKind, string[]>): (bead: Bead) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const one = (wanted: string[], has: string) => wanted.length === 0 || wanted.includes(has);
  return (bead) => {
    if (chosen.label.length > 0 && !bead.labels.some((label) => chosen.label.includes(label))) return false;
    if (!one(chosen.type, bead.issue_type) || !one(chosen.priority, `P${bead.priority}`)) return false;
    if (!one(chosen.assignee, bead.assignee ?? "")) return false;
    const hay = `${bead.id} ${bead.title} ${bead.labels.join(" ")} ${bead.assignee ?? ""}`.toLowerCase();
    return words.every((word) => hay.includes(word));
  };
}
