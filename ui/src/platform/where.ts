/** Whether this page runs in the desktop window. */
export function inDesktopWindow(): boolean {
  return "__TAURI_INTERNALS__" in window;
}
