/** What cards get from the board around them: dragging, and the one menu that all cards share. */
import { getContext, setContext } from "svelte";
import type { Bead } from "../../generated/api";
import type { Drag } from "./drag.svelte";

export interface CardMenu {
  bead: Bead;
  /** In the window, in pixels. */
  x: number;
  y: number;
  /** Only the moves, as with M. */
  only?: "moves" | undefined;
  /** Whether a key opened it: then the first entry gets the focus. */
  byKeys: boolean;
}

export interface BoardTools {
  readonly drag: Drag;
  /** The bead whose menu is open. */
  readonly menuOf: string | null;
  showMenu: (menu: CardMenu) => void;
}

const BOARD = Symbol("board");

export function provideBoard(tools: BoardTools): BoardTools {
  return setContext(BOARD, tools);
}

/** Undefined outside a board. */
export function useBoard(): BoardTools | undefined {
  return getContext<BoardTools | undefined>(BOARD);
}

/** Opens the menu of the focused or given card below its title. */
export function showMenuOf(tools: BoardTools, bead: Bead, only?: "moves"): void {
  const box = document.getElementById(`card-${bead.id}`)?.getBoundingClientRect();
  tools.showMenu({ bead, x: (box?.left ?? 40) + 12, y: (box?.top ?? 80) + 48, only, byKeys: true });
}
