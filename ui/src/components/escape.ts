/**
 * Escape in a field that handles it, marked with `data-escapes`: the sheet or dialog around the field stays open.
 * The mark is read when the key is pressed, since the field may be removed before the sheet or dialog receives
 * the event.
 */
let inField = false;

document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape") return;
    inField = event.target instanceof Element && event.target.closest("[data-escapes]") !== null;
  },
  true,
);

/** For `onEscapeKeydown` of a sheet or dialog: keeps it open if the field handles Escape. */
export function keepForField(event: Event): void {
  if (inField) event.preventDefault();
}
