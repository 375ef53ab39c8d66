/** Links in the terminal. Only web addresses are links. They are shown first, and opened by a click with Ctrl or ⌘. */

/** The address if it is safe to open; null for other schemes. */
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
