/** Saved views of a project. */
import { LONGEST_NAME, MOST_SAVED, type BeadsLayout, type SavedView, type ViewState } from "./beads-layout";
import type { BoardOptions } from "./board-options";

/** The part of the project's layout that saved views read and change. */
export interface ViewLayout {
  readonly beads: BeadsLayout;
  readonly board: BoardOptions;
  setBeads: (change: Partial<BeadsLayout>) => void;
  setBoard: (change: Partial<BoardOptions>) => void;
}

function currentOf({ beads, board }: ViewLayout): ViewState {
  const { view, query, sort, columns } = beads;
  return { view, query: query.trim(), sort, columns, group: board.group, hidden: board.hidden };
}

/** Saves the current view under a name and opens it. Returns false if the name is empty or there are too many. */
export function saveAs(layout: ViewLayout, name: string): boolean {
  const { saved } = layout.beads;
  const text = name.trim().slice(0, LONGEST_NAME);
  if (text === "" || saved.length >= MOST_SAVED) return false;
  const id = freeId(saved);
  layout.setBeads({ saved: [...saved, { id, name: text, ...currentOf(layout) }], open: id });
  return true;
}

/** A short unused ID, because the layout has a size limit. */
function freeId(saved: readonly SavedView[]): string {
  let n = saved.length + 1;
  while (saved.some(({ id }) => id === String(n))) n++;
  return String(n);
}

/** Replaces the open saved view's state with the current view. */
export function update(layout: ViewLayout): void {
  const { saved, open } = layout.beads;
  layout.setBeads({ saved: saved.map((view) => (view.id === open ? { ...view, ...currentOf(layout) } : view)) });
}

export function openSaved(layout: ViewLayout, id: string): void {
  const found = layout.beads.saved.find((one) => one.id === id);
  if (!found) return;
  const { view, query, sort, columns, group, hidden } = found;
  layout.setBoard({ group, hidden });
  layout.setBeads({ view, query, sort, columns, open: id });
}

/** The open saved view; undefined if none is open. */
export function openOf({ beads }: Pick<ViewLayout, "beads">): SavedView | undefined {
  return beads.saved.find(({ id }) => id === beads.open);
}

/** Whether the current view differs from the open saved view. */
export function isChanged(layout: ViewLayout): boolean {
  const saved = openOf(layout);
  if (!saved) return false;
  const now = currentOf(layout);
  return Object.entries(now).some(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(saved[field as keyof ViewState]),
  );
}

export function rename(layout: ViewLayout, id: string, name: string): void {
  const text = name.trim().slice(0, LONGEST_NAME);
  if (text === "") return;
  layout.setBeads({ saved: layout.beads.saved.map((view) => (view.id === id ? { ...view, name: text } : view)) });
}

export function remove(layout: ViewLayout, id: string): void {
  const { saved, open } = layout.beads;
  layout.setBeads({ saved: saved.filter((view) => view.id !== id), open: open === id ? null : open });
}

/** Moves a saved view by this many positions. */
export function move(layout: ViewLayout, id: string, by: number): void {
  const { saved } = layout.beads;
  const from = saved.findIndex((view) => view.id === id);
  const view = saved[from];
  if (!view) return;
  const others = saved.filter((one) => one !== view);
  const to = Math.min(Math.max(from + by, 0), others.length);
  layout.setBeads({ saved: [...others.slice(0, to), view, ...others.slice(to)] });
}
