/**
 * What of the mouse is not claude's, though it asks for all of it: following a link, which it would open a
 * second time, and moving over the terminal while a selection stands, which would end the selection.
 */

export interface Pointed {
  /** Looks again at what is there: what was drawn under a pointer that rests is not known yet. */
  look: (event: MouseEvent) => void;
  /** The address under the pointer. */
  link: () => string | null;
  /** Whether something is selected while every movement is told to claude. */
  selected: () => boolean;
  follow: (address: string) => void;
}

/** `drawn` is what in the place is drawn into; movements over it are heard there, where links are looked for. */
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
