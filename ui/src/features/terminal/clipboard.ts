/**
 * Clipboard requests of terminal programs (OSC 52). They are only offered, and copied on a click. Reading the
 * clipboard is never answered.
 */

/** The maximum length, in base64 characters. */
const LONGEST = 1_400_000;

/** The text of an OSC 52 that sets the clipboard; null for queries, empty and invalid requests. */
export function offeredText(data: string): string | null {
  const at = data.indexOf(";");
  const payload = at < 0 ? "" : data.slice(at + 1);
  if (payload === "" || payload === "?" || payload.length > LONGEST) return null;
  try {
    const bytes = Uint8Array.from(atob(payload), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
