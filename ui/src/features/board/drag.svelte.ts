/**
 * Dragging a card to another column with the mouse or a pen. It listens to the window, since a virtualised card
 * can be removed while it is dragged.
 */
import type { Bead } from "../../generated/api";
import { COLUMNS, columnOf, type ColumnId } from "../../state/beads.svelte";
import type { Move } from "./moves";

/** A press becomes a drag after this distance in pixels. */
const THRESHOLD = 5;
/** Scrolling starts at this distance from an edge, in pixels. */
const EDGE = 48;
/** The scroll speed at an edge, in pixels per frame. */
const MAX_SPEED = 18;

export interface Dragged {
  bead: Bead;
  from: ColumnId;
  /** The size of the card, and the pointer's position on it. */
  width: number;
  height: number;
  dx: number;
  dy: number;
}

export interface BoardAccess {
  moveOf: (bead: Bead, to: ColumnId) => Move;
  /** Carries out a valid move. */
  drop: (bead: Bead, to: ColumnId) => void;
  /** The element that scrolls horizontally. */
  board: () => HTMLElement | undefined;
}

export class Drag {
  card = $state.raw<Dragged | null>(null);
  x = $state(0);
  y = $state(0);
  /** The column below the pointer; null if there is none. */
  over = $state<ColumnId | null>(null);

  /** The move to each column; null if no card is dragged. */
  readonly moves = $derived.by((): Record<ColumnId, Move> | null => {
    const { card } = this;
    if (!card) return null;
    const entries = COLUMNS.map(({ id }) => [id, this.#access.moveOf(card.bead, id)] as const);
    return Object.fromEntries(entries) as Record<ColumnId, Move>;
  });
  readonly target = $derived(this.over && this.moves ? this.moves[this.over] : null);

  readonly #access: BoardAccess;
  #press: { card: Dragged; x: number; y: number; pointer: number } | null = null;
  #frame = 0;

  constructor(access: BoardAccess) {
    this.#access = access;
  }

  /** Watches a press on a card, which becomes a drag after {@link THRESHOLD} pixels. Ignores touch. */
  press(event: PointerEvent, bead: Bead, element: HTMLElement): void {
    const from = columnOf(bead);
    if (from === null || event.button !== 0 || event.pointerType === "touch" || this.#press) return;
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [event.clientX, event.clientY];
    const card = { bead, from, width, height, dx: x - left, dy: y - top };
    this.#press = { card, x, y, pointer: event.pointerId };
    this.#listen("addEventListener");
  }

  /** Ends the drag without a move. */
  cancel(): void {
    this.#listen("removeEventListener");
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#press = null;
    this.card = null;
    this.over = null;
  }

  readonly #onMove = (event: PointerEvent) => {
    const press = this.#press;
    if (!press || event.pointerId !== press.pointer) return;
    // The button was released where the window receives no event.
    if (event.buttons % 2 === 0) return this.cancel();
    this.x = event.clientX;
    this.y = event.clientY;
    if (!this.card) {
      if (Math.hypot(this.x - press.x, this.y - press.y) < THRESHOLD) return;
      this.card = press.card;
      getSelection()?.removeAllRanges();
    }
    event.preventDefault();
    this.#findColumn();
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#scroll);
  };

  readonly #onUp = (event: PointerEvent) => {
    if (event.pointerId !== this.#press?.pointer) return;
    const { card, over, target } = this;
    this.cancel();
    if (!card) return;
    // The release also causes a click, which would open the card.
    swallowClick();
    if (over && target?.valid) this.#access.drop(card.bead, over);
  };

  readonly #onKey = (event: KeyboardEvent) => {
    if (!this.card) return;
    // During a drag, only Escape has an effect.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") {
      this.cancel();
      swallowClick();
    }
  };

  readonly #onEnd = () => this.cancel();

  #findColumn(): void {
    const below = document.elementFromPoint(this.x, this.y)?.closest<HTMLElement>("[data-column]");
    this.over = COLUMNS.find(({ id }) => id === below?.dataset["column"])?.id ?? null;
  }

  readonly #scroll = () => {
    this.#frame = 0;
    const board = this.#access.board();
    if (!this.card || !board) return;
    const sideways = speed(this.x, board.getBoundingClientRect(), "left", "right");
    const list = this.over && document.querySelector<HTMLElement>(`[data-column="${this.over}"] .cards`);
    const down = list ? speed(this.y, list.getBoundingClientRect(), "top", "bottom") : 0;
    if (sideways === 0 && down === 0) return;
    board.scrollLeft += sideways;
    if (list) list.scrollTop += down;
    this.#findColumn();
    this.#frame = requestAnimationFrame(this.#scroll);
  };

  #listen(how: "addEventListener" | "removeEventListener"): void {
    window[how]("pointermove", this.#onMove as EventListener);
    window[how]("pointerup", this.#onUp as EventListener);
    window[how]("pointercancel", this.#onEnd);
    window[how]("blur", this.#onEnd);
    window[how]("keydown", this.#onKey as EventListener, true);
  }
}

/** The scroll speed in pixels per frame: faster near an edge, negative at the left or top, 0 far from both edges. */
export function speed(at: number, box: DOMRect, low: "left" | "top", high: "right" | "bottom"): number {
  const near = (distance: number) => (distance >= EDGE ? 0 : Math.ceil(MAX_SPEED * (1 - Math.max(0, distance) / EDGE)));
  return near(box[high] - at) - near(at - box[low]);
}

function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener("click", swallow, { capture: true, once: true });
  // If the pointer is released over another element, no click follows, so the listener is removed.
  setTimeout(() => window.removeEventListener("click", swallow, true), 0);
}
