/** Page behaviour that applies only to the desktop window. */

/** The event that reports that no program opens an address; its detail is the address. */
const UNOPENED = "beads-console:unopened";

export function keepToWindow(unopened: (address: string) => void): void {
  window.addEventListener(UNOPENED, (event) => {
    if (event instanceof CustomEvent && typeof event.detail === "string") unopened(event.detail);
  });
  document.addEventListener("contextmenu", (event) => {
    if (!offersSomething(event.target)) event.preventDefault();
  });
}

/** Whether the webview's own menu is useful for the target, for copy and paste. Elsewhere it only offers to
 * reload. */
function offersSomething(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest("a[href], input, textarea, [contenteditable], [data-terminal]")) return true;
  return document.getSelection()?.isCollapsed === false;
}
