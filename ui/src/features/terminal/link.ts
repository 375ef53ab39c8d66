/** Links in the terminal: only to the web, shown before they are followed, opened only with Ctrl or ⌘. */

/** The address where it may be opened; null for every scheme but the web's. */
export function safeAddress(text: string): string | null {
  try {
    const url = new URL(text);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
  } catch {
    return null;
  }
}

export function openAddress(text: string): void {
  const address = safeAddress(text);
  if (address) window.open(address, "_blank", "noopener,noreferrer");
}
