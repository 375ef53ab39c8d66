/**
 * How a project's window is laid out. Kept in the window itself, so that it is the same after a reload, and
 * with the program, so that the next window begins with it, at whatever address it is shown.
 */
import type { ProjectKey, SessionId } from "../generated/api";
import { Keeping } from "./keeping";

export const VIEWS = ["board", "history", "insight", "memory", "fleet"] as const;
export type View = (typeof VIEWS)[number];
export const TABS = ["chat", "terminal", "changes", "context", "timeline"] as const;
export type Tab = (typeof TABS)[number];
/** What the fleet's view shows. */
export const FLEET = ["overview", "terminals"] as const;
export type FleetShows = (typeof FLEET)[number];
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
  fleet: FleetShows;
  panes: SessionId[];
  diff: { split: boolean; space: boolean };
}

/** What is dragged changes many times a second: the program is told when it has rested so long, in milliseconds. */
const REST = 200;
const DRAGGED: ReadonlySet<string> = new Set<keyof Kept>(["panelShare", "besideShare", "terminal"]);

export class Layout {
  view = $state<View>("board");
  /** The sidebar as a rail. */
  rail = $state(false);
  /** The session in the panel. */
  session = $state<SessionId | null>(null);
  /** The panel's share of the width in percent; null until somebody moved it. */
  panelShare = $state<number | null>(null);
  /** Whether the panel fills the window. */
  fill = $state(false);
  /** Whether a session's changes stand beside its other tabs, where the panel fills the window and there is room. */
  beside = $state(false);
  /** Their share of the width in percent; null until somebody moved it. */
  besideShare = $state<number | null>(null);
  /** Which of a session's tabs is open. */
  tab = $state<Tab>("chat");
  /** The one that was open last and is not the changes: they stand beside that. */
  front = $state<Tab>("chat");
  /** Board columns that were opened although the panel folds them. */
  unfolded = $state<string[]>([]);
  /** What fitted into the terminal's pane last: a session is started with it, before its terminal is there. */
  terminal = $state.raw<Cells | null>(null);
  /** With which agent and model a session was started last. */
  start = $state.raw<{ agent: string; model: string } | null>(null);

  /** What the fleet's view shows. */
  fleet = $state<FleetShows>("overview");
  /** The sessions whose terminals are side by side, where somebody chose them. */
  panes = $state.raw<SessionId[]>([]);

  /** How changes are looked at: side by side where there is room, without those of white space alone. */
  diff = $state.raw<{ split: boolean; space: boolean }>({ split: false, space: false });

  readonly #slot: string;
  readonly #keeping: Keeping<Kept>;

  /** `before` is what the program kept, whatever that is. */
  constructor(key: ProjectKey, before: unknown, keep: (layout: object) => Promise<unknown>) {
    this.#slot = `layout:${key}`;
    this.#keeping = new Keeping<Kept>(keep);
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
    const { view, rail, session, panelShare, fill, beside, besideShare, tab, unfolded, terminal, start, fleet, panes, diff } = this;
    const kept: Kept = { view, rail, session, panelShare, fill, beside, besideShare, tab, unfolded: [...unfolded], terminal, start, fleet, panes, diff };
    sessionStorage.setItem(this.#slot, JSON.stringify(kept));
    // The window may be closed the next moment.
    this.#keeping.keep(kept, Object.keys(change).every((name) => DRAGGED.has(name)) ? REST : 0);
  }

  #remember(): void {
    if (this.tab !== "changes") this.front = this.tab;
  }

  /** The window goes away. */
  leave(): void {
    this.#keeping.leave();
  }
}

/** What this window kept for itself; undefined if nothing. */
function inWindow(slot: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(slot) ?? "null") ?? undefined;
  } catch {
    return undefined; // written by something else
  }
}

/** What was kept, field by field: a value of the wrong kind is as good as none. */
function read(kept: unknown): Kept {
  const { view, rail, session, panelShare, fill, beside, besideShare, tab, unfolded, terminal, start, fleet, panes, diff } = fields(kept);
  const { split, space } = fields(diff);
  const { agent, model } = fields(start);
  return {
    view: VIEWS.find((known) => known === view) ?? "board",
    rail: rail === true,
    session: typeof session === "string" ? session : null,
    panelShare: share(panelShare),
    fill: fill === true,
    beside: beside === true,
    besideShare: share(besideShare),
    tab: TABS.find((known) => known === tab) ?? "chat",
    unfolded: names(unfolded),
    terminal: isCells(terminal) ? terminal : null,
    start: typeof agent === "string" && typeof model === "string" ? { agent, model } : null,
    fleet: FLEET.find((known) => known === fleet) ?? "overview",
    panes: names(panes),
    diff: { split: split === true, space: space === true },
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
