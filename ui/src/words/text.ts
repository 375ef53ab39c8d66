/** Text for display. In untrusted text, characters that reorder, hide or move other text are removed or escaped. */

// C0 and C1 control characters and DEL, zero-width and bidirectional controls, the byte order mark.
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

export function oneLine(text: string): string {
  return text
    .replace(/[\n\r\t]+/g, " ")
    .replace(UNSAFE, "")
    .replace(/ {2,}/g, " ")
    .trim();
}

// Also fillers, soft hyphens, separators and tags, which are invisible or misleading.
const INVISIBLE = new RegExp(
  `${UNSAFE.source}|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\u00ad\u061c\u115f\u1160\u2028\u2029\u206a-\u206f]` +
    `|[\u3164\uffa0\ufff9-\ufffb]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]`,
  "gu",
);

/** For text that must be seen exactly, such as a command or a diff: keeps spaces, tabs and line breaks, and writes
 * other control characters and invisible ones as `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (mark) =>
    mark === "\n" || mark === "\t"
      ? mark
      : `⟨U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

/** A program's message as a sentence: capitalized, unless it begins with code, and with a full stop if it has no final
 * punctuation. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  return capital(/[.!?…:]$/.test(trimmed) ? trimmed : `${trimmed}.`);
}

/** The text with a capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The part of a hint before its first semicolon, for places with one line. */
export function firstClause(text: string): string {
  return text.split(";", 1)[0] ?? text;
}

/** Splits a text at backticks; every second piece is code. */
export function pieces(text: string): { text: string; code: boolean }[] {
  return text
    .split("`")
    .map((piece, i) => ({ text: piece, code: i % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
