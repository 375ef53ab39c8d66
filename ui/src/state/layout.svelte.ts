/**
 * The layout of a project's window. It is stored in the window, so that it survives a reload. The program also
 * stores it, so that the next window starts with it, whatever its address.
 */
import type { ProjectKey, SessionId } from "../generated/api";
import { readBeadsLayout, type BeadsLayout } from "./beads-layout";
import { BOARD_OPTIONS, readBoardOptions, readDismissals, type BoardOptions, type Dismissals } from "./board-options";
import { LatestSaver } from "./latest-saver";
import { FLEET_TABS, knownId, TABS, VIEWS, type FleetTab, type Tab, type View } from "./tabs";

/** Columns and rows. */
export type Cells = [number, number];

interface Kept {
  view: View;
  rail: boolean;
  session: SessionId | null;
  panelShare: number | null;
  fill: boolean;
  beside: boolean;
  besideShare: number | null;
  tab: Tab;
  unfolded: string[];
  terminal: Cells | null;
  start: { agent: string; model: string } | null;
  fleet: FleetTab;
  panes: SessionId[];
  diff: { split: boolean; space: boolean };
  board: BoardOptions;
  beads: BeadsLayout;
  dismissals: Dismissals;
}

/** Dragged values change often: they are saved after this many milliseconds without a change. */
const DRAG_DELAY_MS = 200;
const DRAGGED: ReadonlySet<string> = new Set<keyof Kept>(["panelShare", "besideShare", "terminal", "beads"]);

export class Layout {
  view = $state<View>("board");
  /** Whether the sidebar is collapsed to a rail. */
  rail = $state(false);
  /** The session in the panel. */
  session = $state<SessionId | null>(null);
  /** The panel's share of the width in percent; null until the user changes it. */
  panelShare = $state<number | null>(null);
  /** Whether the panel fills the window. */
  fill = $state(false);
  /** Whether the changes are shown beside the session, if the panel is maximised and wide enough. */
  beside = $state(false);
  /** The width of the changes beside the session in percent; null until the user changes it. */
  besideShare = $state<number | null>(null);
  /** Which of a session's tabs is open. */
  tab = $state<Tab>("chat");
  /** The last open tab other than the changes; it is shown beside them. */
  front = $state<Tab>("chat");
  /** Board columns that the user expanded although the panel collapses them. */
  unfolded = $state<string[]>([]);
  /** The last size of the terminal; new sessions start with this size. */
  terminal = $state.raw<Cells | null>(null);
  /** The agent and the model of the last started session. */
  start = $state.raw<{ agent: string; model: string } | null>(null);

  /** The selected part of the fleet view. */
  fleet = $state<FleetTab>("overview");
  /** The sessions in the terminal panes, as the user arranged them. */
  panes = $state.raw<SessionId[]>([]);

  /** How changes are shown: `split` in split view, `space` without white-space changes. */
  diff = $state.raw<{ split: boolean; space: boolean }>({ split: false, space: false });

  /** The board's density, groups, limits, and collapsed and hidden columns. */
  board = $state.raw<BoardOptions>(BOARD_OPTIONS);
  /** The view of the beads, with the saved views. */
  beads = $state.raw<BeadsLayout>(readBeadsLayout(null));
  /** Stale beads whose badge is dismissed. */
  dismissals = $state.raw<Dismissals>({});

  readonly #slot: string;
  readonly #keeping: LatestSaver<Kept>;

  /** `before`: the stored layout, which is not validated yet. `keep` saves a layout. */
  constructor(key: ProjectKey, before: unknown, keep: (layout: object) => Promise<unknown>) {
    this.#slot = `layout:${key}`;
    this.#keeping = new LatestSaver<Kept>(keep);
    Object.assign(this, read(inWindow(this.#slot) ?? before));
    this.#remember();
  }

  openSession(id: SessionId): void {
    this.set({ session: id });
  }

  closePanel(): void {
    this.set({ session: null, fill: false });
  }

  set(change: Partial<Kept>): void {
    Object.assign(this, change);
    this.#remember();
    const {
      view,
      rail,
      session,
      panelShare,
      fill,
      beside,
      besideShare,
      tab,
      unfolded,
      terminal,
      start,
      fleet,
      panes,
      diff,
      board,
      beads,
      dismissals,
    } = this;
    const kept: Kept = {
      view,
      rail,
      session,
      panelShare,
      fill,
      beside,
      besideShare,
      tab,
      unfolded: [...unfolded],
      terminal,
      start,
      fleet,
      panes,
      diff,
      board,
      beads,
      dismissals,
    };
    sessionStorage.setItem(this.#slot, JSON.stringify(kept));
    // Saved at once, since the window may close at any moment. Only dragged values wait.
    this.#keeping.keep(kept, Object.keys(change).every((name) => DRAGGED.has(name)) ? DRAG_DELAY_MS : 0);
  }

  /** Changes some of the board's options. */
  setBoard(change: Partial<BoardOptions>): void {
    this.set({ board: { ...this.board, ...change } });
  }

  /** Changes how beads are shown. */
  setBeads(change: Partial<BeadsLayout>): void {
    this.set({ beads: { ...this.beads, ...change } });
  }

  #remember(): void {
    if (this.tab !== "changes") this.front = this.tab;
  }

  /** Saves pending changes, because the window closes. */
  leave(): void {
    this.#keeping.leave();
  }
}

/** The layout in the window's own storage; undefined if there is none. */
function inWindow(slot: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(slot) ?? "null") ?? undefined;
  } catch {
    return undefined; // not our JSON
  }
}

/** Validates the stored layout field by field. */
function read(kept: unknown): Kept {
  const {
    view,
    rail,
    session,
    panelShare,
    fill,
    beside,
    besideShare,
    tab,
    unfolded,
    terminal,
    start,
    fleet,
    panes,
    diff,
    board,
    beads,
    dismissals,
  } = fields(kept);
  const { split, space } = fields(diff);
  const { agent, model } = fields(start);
  return {
    view: knownId(VIEWS, view, "board"),
    rail: rail === true,
    session: typeof session === "string" ? session : null,
    panelShare: share(panelShare),
    fill: fill === true,
    beside: beside === true,
    besideShare: share(besideShare),
    tab: knownId(TABS, tab),
    unfolded: names(unfolded),
    terminal: isCells(terminal) ? terminal : null,
    start: typeof agent === "string" && typeof model === "string" ? { agent, model } : null,
    fleet: knownId(FLEET_TABS, fleet),
    panes: names(panes),
    diff: { split: split === true, space: space === true },
    board: readBoardOptions(board),
    beads: readBeadsLayout(beads),
    dismissals: readDismissals(dismissals),
  };
}

function share(value: unknown): number | null {
  return typeof value === "number" && value > 10 && value < 90 ? value : null;
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function isCells(value: unknown): value is Cells {
  return Array.isArray(value) && value.length === 2 && value.every((n) => Number.isInteger(n) && n > 0 && n < 10_000);
}
