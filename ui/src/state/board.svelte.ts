/** The shown beads of the board's tab: the query, the keyboard cursor and the selection. */
import type { Bead, BeadId, BeadQueryAnswer } from "../generated/api";
import { grouped } from "../words/count";
import { BeadQuery } from "./bead-query.svelte";
import { COLUMNS, FIRST_PAGE, columnOf, type Beads, type ColumnId } from "./beads.svelte";
import type { BoardOptions } from "./board-options";
import { arranged } from "./lanes";
import { chosenIn, partsOf, spliced, toggled } from "./query-text";

export type Direction = "left" | "right" | "up" | "down";

/** The part of the project's layout that stores the query, the groups and the hidden or collapsed columns. */
export interface BoardLayout {
  readonly beads: { readonly query: string };
  readonly board: Pick<BoardOptions, "group" | "hidden" | "collapsed">;
  setBeads: (change: { query: string }) => void;
}

export class Board {
  cursor = $state<BeadId | null>(null);
  selected = $state.raw<ReadonlySet<BeadId>>(new Set());
  /** Whether the board's options are open. */
  showsOptions = $state(false);
  /** The first visible bead of each column and the board's horizontal scroll position, kept while another project
   * is shown. */
  readonly scrolled: { left: number; top: Partial<Record<ColumnId, BeadId>> } = { left: 0, top: {} };
  readonly answer: BeadQuery;
  /** The first bead of a range selection. */
  #anchor: BeadId | null = null;

  readonly #beads: Beads;
  readonly #layout: BoardLayout;

  constructor(beads: Beads, layout: BoardLayout, ask: (query: string) => Promise<BeadQueryAnswer>) {
    this.#beads = beads;
    this.#layout = layout;
    this.answer = new BeadQuery(ask);
    // The effect is never stopped. New beads may match differently, so the query is sent again.
    $effect.root(() => {
      $effect(() => {
        if (this.#beads.list.length > 0 || this.query === "") this.answer.ask(this.query);
      });
    });
  }

  /** The text of the query line. */
  get query(): string {
    return this.#layout.beads.query;
  }

  set query(query: string) {
    if (query !== this.query) this.#layout.setBeads({ query });
  }

  readonly filtered = $derived.by(() => this.query.trim() !== "");
  readonly #matching = $derived.by(() => (this.filtered ? this.answer.ids : null));
  readonly columns = $derived.by((): Record<ColumnId, Bead[]> => {
    const all = this.#beads.columns;
    const matching = this.#matching;
    const { group } = this.#layout.board;
    if (!matching && group === "none") return all;
    const matches = (bead: Bead) => !matching || matching.has(bead.id);
    const keep = (id: ColumnId) => arranged(all[id].filter(matches), group, (other) => this.#beads.get(other));
    return Object.fromEntries(COLUMNS.map(({ id }) => [id, keep(id)])) as Record<ColumnId, Bead[]>;
  });
  /** The shown beads of all columns, in the order of the list. */
  readonly shown = $derived.by(() => {
    const matching = this.#matching;
    return this.#beads.list.filter((bead) => columnOf(bead) !== null && (!matching || matching.has(bead.id)));
  });
  readonly shownCount = $derived(COLUMNS.reduce((n, { id }) => n + this.columns[id].length, 0));
  readonly allCount = $derived(COLUMNS.reduce((n, { id }) => n + this.#beads.columns[id].length, 0));

  /** `6/8` if a filter hides some, else `8`; `60+` while the rest is loaded. */
  countOf(id: ColumnId): string {
    const [shown, all] = [this.columns[id].length, this.#beads.columns[id].length];
    if (this.#beads.partial && all >= FIRST_PAGE) return `${grouped(shown)}+`;
    return this.filtered && shown !== all ? `${grouped(shown)}/${grouped(all)}` : grouped(all);
  }

  /** The number of all beads in a column, including those that the query hides. */
  sizeOf(id: ColumnId): number {
    return this.#beads.columns[id].length;
  }

  /** The chosen values of a field in the query. */
  chosen(field: string): string[] {
    return chosenIn(this.query, field);
  }

  toggle(field: string, value: string): void {
    this.query = toggled(this.query, field, value);
  }

  /** Removes the part of the query that has a problem. */
  removePart(text: string): void {
    const part = partsOf(this.query).find(({ from, to }) => this.query.slice(from, to) === text);
    if (part) this.query = spliced(this.query, part, "");
  }

  clear(): void {
    this.query = "";
  }

  /** The cursor position; until the user moves it, the first ready bead, or else the first bead. */
  readonly place = $derived.by((): { column: ColumnId; at: number; bead: Bead } | null => {
    const { hidden, collapsed } = this.#layout.board;
    const visible = COLUMNS.filter(({ id }) => !hidden.includes(id) && !collapsed.includes(id));
    for (const { id } of visible) {
      const at = this.columns[id].findIndex((bead) => bead.id === this.cursor);
      const bead = this.columns[id][at];
      if (bead) return { column: id, at, bead };
    }
    const filled = visible.filter(({ id }) => this.columns[id].length > 0);
    const column = (filled.find(({ id }) => id === "ready") ?? filled[0])?.id;
    const bead = column && this.columns[column][0];
    return column && bead ? { column, at: 0, bead } : null;
  });

  /** Moves the cursor within its column, or sideways to the next of the `open` columns that has beads. */
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

  /** Selects a bead or deselects it. */
  select(id: BeadId): void {
    const next = new Set(this.selected);
    if (!next.delete(id)) next.add(id);
    this.#anchor = id;
    this.selected = next;
  }

  /** Selects all beads from the last selected one to this one, in the order in which they are shown. */
  selectTo(id: BeadId, order: readonly BeadId[]): void {
    const [from, to] = [this.#anchor === null ? -1 : order.indexOf(this.#anchor), order.indexOf(id)];
    if (from < 0 || to < 0) return this.select(id);
    const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
    this.selected = new Set([...this.selected, ...range]);
  }

  selectAll(ids: readonly BeadId[]): void {
    this.selected = new Set(ids);
  }

  deselect(): void {
    this.selected = new Set();
    this.#anchor = null;
  }
}
