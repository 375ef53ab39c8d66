/** Whether the server has a public address, behind a reverse proxy: only a loopback address is without TLS. */
export function hasPublicAddress(): boolean {
  return location.protocol === "https:";
}

/** Whether this page runs in the desktop window. */
export function inDesktopWindow(): boolean {
  return "__TAURI_INTERNALS__" in window;
}
