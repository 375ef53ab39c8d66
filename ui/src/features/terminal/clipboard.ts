/**
 * What a program in the terminal asks to put on the clipboard (OSC 52). It is only ever offered: the
 * person's press puts it there. Asking what is on the clipboard is never answered.
 */

/** Longer texts are not offered, in characters of base64. */
const LONGEST = 1_400_000;

/** The text of an OSC 52 that sets the clipboard; null for a question, for nothing, and for nonsense. */
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
