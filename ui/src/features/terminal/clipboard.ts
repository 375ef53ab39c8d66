/**
 * Clipboard requests of programs in the terminal (OSC 52). A text is only offered, and copied at the user's
 * request. A request to read the clipboard gets no answer.
 */

/** The maximum length of an offered text, in base64 characters. */
const MAX_LENGTH = 1_400_000;

/** The text of an OSC 52 that sets the clipboard; null for queries and for empty, overlong or invalid requests. */
export function offeredText(data: string): string | null {
  const at = data.indexOf(";");
  const payload = at < 0 ? "" : data.slice(at + 1);
  if (payload === "" || payload === "?" || payload.length > MAX_LENGTH) return null;
  try {
    const bytes = Uint8Array.from(atob(payload), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
