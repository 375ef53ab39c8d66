/** The tools that the board gives its cards: dragging, and the menu that all cards share. */
import { getContext, setContext } from "svelte";
import type { Bead } from "../../generated/api";
import type { Drag } from "./drag.svelte";

export interface CardMenu {
  bead: Bead;
  /** The position in the window, in pixels. */
  x: number;
  y: number;
  /** Shows only the moves, as the key M does. */
  only?: "moves" | undefined;
}

export interface BoardTools {
  readonly drag: Drag;
  /** The bead whose menu is open; null if none is. */
  readonly menuOf: string | null;
  showMenu: (menu: CardMenu) => void;
}

const BOARD = Symbol("board");

export function provideBoard(tools: BoardTools): BoardTools {
  return setContext(BOARD, tools);
}

/** The tools of the surrounding board; undefined outside a board. */
export function useBoard(): BoardTools | undefined {
  return getContext<BoardTools | undefined>(BOARD);
}

/** Opens the menu of a bead's card, below the card's title. */
export function showMenuOf(tools: BoardTools, bead: Bead, only?: "moves"): void {
  const box = document.getElementById(`card-${bead.id}`)?.getBoundingClientRect();
  tools.showMenu({ bead, x: (box?.left ?? 40) + 12, y: (box?.top ?? 80) + 48, only });
}
