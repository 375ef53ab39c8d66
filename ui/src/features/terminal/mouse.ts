/**
 * Mouse input that is kept from Claude although it captures the mouse: clicks that open a link, which Claude
 * would open as well, and movements over a selection, which would clear it.
 */

export interface Pointed {
  /** Updates the link under a pointer that does not move. */
  look: (event: MouseEvent) => void;
  /** The web address under the pointer. */
  link: () => string | null;
  /** Whether there is a selection while Claude tracks mouse movement. */
  selected: () => boolean;
  follow: (address: string) => void;
}

/** `drawn` is the rendered element, where links are detected. */
export function keepMouse(place: HTMLElement, drawn: HTMLElement, pointed: Pointed): () => void {
  let pressed: string | null = null;
  const down = (event: MouseEvent) => {
    pressed = null;
    if (event.button !== 0 || (!event.ctrlKey && !event.metaKey)) return;
    pointed.look(event);
    pressed = pointed.link();
    if (pressed !== null) keep(event);
  };
  const up = (event: MouseEvent) => {
    if (pressed === null || event.button !== 0) return;
    keep(event);
    if (pointed.link() === pressed) pointed.follow(pressed);
    pressed = null;
  };
  const move = (event: MouseEvent) => {
    if (event.buttons === 0 && pointed.selected()) event.stopPropagation();
  };
  place.addEventListener("mousedown", down, true);
  place.addEventListener("mouseup", up, true);
  drawn.addEventListener("mousemove", move);
  return () => {
    place.removeEventListener("mousedown", down, true);
    place.removeEventListener("mouseup", up, true);
    drawn.removeEventListener("mousemove", move);
  };
}

function keep(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
