/** Whether the server is used at a public address, through a proxy or tunnel: only loopback addresses lack TLS. */
export function hasPublicAddress(): boolean {
  return location.protocol === "https:";
}

/** Whether this page runs in the desktop window. */
export function inDesktopWindow(): boolean {
  return "__TAURI_INTERNALS__" in window;
}
