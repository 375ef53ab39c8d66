/** How a project's window is laid out. Kept on this machine, per project. */
import type { ProjectKey, SessionId } from "../generated/api";

export type View = "board" | "history";
export type Tab = "chat" | "terminal";

interface Kept {
  view: View;
  rail: boolean;
  session: SessionId | null;
  panelShare: number | null;
  fill: boolean;
  tab: Tab;
  unfolded: string[];
}

const FRESH: Kept = { view: "board", rail: false, session: null, panelShare: null, fill: false, tab: "chat", unfolded: [] };

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
  /** Which of a session's tabs is open. */
  tab = $state<Tab>("chat");
  /** Board columns that were opened although the panel folds them. */
  unfolded = $state<string[]>([]);

  readonly #slot: string;

  constructor(key: ProjectKey) {
    this.#slot = `layout:${key}`;
    Object.assign(this, read(this.#slot));
  }

  openSession(id: SessionId): void {
    this.session = id;
    this.save();
  }

  closePanel(): void {
    this.session = null;
    this.fill = false;
    this.save();
  }

  set(change: Partial<Kept>): void {
    Object.assign(this, change);
    this.save();
  }

  save(): void {
    const { view, rail, session, panelShare, fill, tab, unfolded } = this;
    localStorage.setItem(this.#slot, JSON.stringify({ view, rail, session, panelShare, fill, tab, unfolded } satisfies Kept));
  }
}

/** What was kept, field by field: a value of the wrong kind is as good as none. */
function read(slot: string): Kept {
  let kept: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(slot) ?? "{}");
    if (typeof parsed === "object" && parsed !== null) kept = parsed as Record<string, unknown>;
  } catch {
    // Written by something else: start afresh.
  }
  const { view, rail, session, panelShare, fill, tab, unfolded } = kept;
  return {
    view: view === "history" ? "history" : FRESH.view,
    rail: rail === true,
    session: typeof session === "string" ? session : null,
    panelShare: typeof panelShare === "number" && panelShare > 10 && panelShare < 90 ? panelShare : null,
    fill: fill === true,
    tab: tab === "terminal" ? "terminal" : FRESH.tab,
    unfolded: Array.isArray(unfolded) ? unfolded.filter((id) => typeof id === "string") : [],
  };
}
