/**
 * The layout of a project's window. The window's storage keeps it across reloads. The program also stores it, so
 * that the next window starts with it, even at another address.
 */
import type { ProjectKey, SessionId } from "../generated/api";
import { readBeadsLayout, type BeadsLayout } from "./beads-layout";
import {
  BOARD_OPTIONS,
  readBoardOptions,
  readDismissals,
  record,
  type BoardOptions,
  type Dismissals,
} from "./board-options";
import { LatestSaver } from "./latest-saver";
import { FLEET_TABS, knownId, TABS, VIEWS, type FleetTab, type Tab, type View } from "./tabs";

/** Columns and rows. */
export type Cells = [number, number];

type Stored = ReturnType<typeof read>;

/** The names of the stored values. */
const STORED = Object.keys(read(null)) as (keyof Stored)[];
/** Dragged values change often: they are saved after this many milliseconds without a change. */
const DRAG_DELAY_MS = 200;
const DRAGGED: ReadonlySet<string> = new Set<keyof Stored>(["panelShare", "besideShare", "terminal", "beads"]);

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
  /** Whether the changes are shown beside the session, if the panel is maximized and wide enough. */
  beside = $state(false);
  /** The width of the changes beside the session in percent; null until the user changes it. */
  besideShare = $state<number | null>(null);
  /** Which of a session's tabs is open. */
  tab = $state<Tab>("chat");
  /** The last open tab other than Changes; it is shown beside the changes. */
  front = $state<Tab>("chat");
  /** Board columns that the user expanded although the panel collapses them. */
  unfolded = $state.raw<string[]>([]);
  /** The last size of the terminal, with which sessions start and resume. */
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
  readonly #saver: LatestSaver<Stored>;

  /** `stored`: the layout that the program stored, not validated yet. `save` stores a layout. */
  constructor(key: ProjectKey, stored: unknown, save: (layout: object) => Promise<unknown>) {
    this.#slot = `layout:${key}`;
    this.#saver = new LatestSaver<Stored>(save);
    Object.assign(this, read(inWindow(this.#slot) ?? stored));
    this.#noteFront();
  }

  openSession(id: SessionId): void {
    this.set({ session: id });
  }

  closePanel(): void {
    this.set({ session: null, fill: false });
  }

  set(change: Partial<Stored>): void {
    Object.assign(this, change);
    this.#noteFront();
    const stored = Object.fromEntries(STORED.map((name) => [name, this[name]])) as unknown as Stored;
    sessionStorage.setItem(this.#slot, JSON.stringify(stored));
    // Saved at once, since the window may close at any moment. Only dragged values wait.
    this.#saver.keep(stored, Object.keys(change).every((name) => DRAGGED.has(name)) ? DRAG_DELAY_MS : 0);
  }

  /** Changes some of the board's options. */
  setBoard(change: Partial<BoardOptions>): void {
    this.set({ board: { ...this.board, ...change } });
  }

  /** Changes how beads are shown. */
  setBeads(change: Partial<BeadsLayout>): void {
    this.set({ beads: { ...this.beads, ...change } });
  }

  #noteFront(): void {
    if (this.tab !== "changes") this.front = this.tab;
  }

  /** Saves pending changes, because the window closes. */
  leave(): void {
    this.#saver.leave();
  }
}

/** The layout in the window's own storage; undefined if there is none. */
function inWindow(slot: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(slot) ?? "null") ?? undefined;
  } catch {
    return undefined; // not JSON
  }
}

/** Validates the stored layout field by field. */
function read(stored: unknown) {
  const all = record(stored);
  const { split, space } = record(all["diff"]);
  const { agent, model } = record(all["start"]);
  return {
    view: knownId(VIEWS, all["view"], "board"),
    rail: all["rail"] === true,
    session: typeof all["session"] === "string" ? all["session"] : null,
    panelShare: share(all["panelShare"]),
    fill: all["fill"] === true,
    beside: all["beside"] === true,
    besideShare: share(all["besideShare"]),
    tab: knownId(TABS, all["tab"]),
    unfolded: names(all["unfolded"]),
    terminal: isCells(all["terminal"]) ? all["terminal"] : null,
    start: typeof agent === "string" && typeof model === "string" ? { agent, model } : null,
    fleet: knownId(FLEET_TABS, all["fleet"]),
    panes: names(all["panes"]),
    diff: { split: split === true, space: space === true },
    board: readBoardOptions(all["board"]),
    beads: readBeadsLayout(all["beads"]),
    dismissals: readDismissals(all["dismissals"]),
  };
}

function share(value: unknown): number | null {
  return typeof value === "number" && value > 10 && value < 90 ? value : null;
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];
}

function isCells(value: unknown): value is Cells {
  return Array.isArray(value) && value.length === 2 && value.every((n) => Number.isInteger(n) && n > 0 && n < 10_000);
}
