/** Page behaviour that applies only to the desktop window. */
import { invoke } from "@tauri-apps/api/core";

/** The event that reports that no program opens an address; its detail is the address. */
const UNOPENED = "beads-console:unopened";

/** The event that reports that the user has opened folders with the program. */
const OPENED = "beads-console:opened";

/** `open` is called for each folder that the user opens with the program. */
export function setUpDesktopPage(unopened: (address: string) => void, open: (folder: string) => void): void {
  // If this fails, the user can open the folder in the window.
  const take = () =>
    void invoke<string[]>("take_opened_folders").then(
      (folders) => folders.forEach(open),
      () => {},
    );
  window.addEventListener(OPENED, take);
  take();
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
