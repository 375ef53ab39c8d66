/**
 * Escape in a field that handles it (marked with `data-escapes`): the sheet or dialog around it stays open. The field
 * may be gone by the time the layer hears of the key, so the mark is read first.
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

/** For `onEscapeKeydown` of a layer. */
export function keepForField(event: Event): void {
  if (inField) event.preventDefault();
}
