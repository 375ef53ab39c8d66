/** Untrusted text, made safe to display on one line: characters that reorder, hide or move other text are removed. */

// C0, C1 and DEL, zero-width and bidirectional controls, the byte order mark.
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

export function oneLine(text: string): string {
  return text
    .replace(/[\n\r\t]+/g, " ")
    .replace(UNSAFE, "")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** Like `oneLine`, for text that the user decides on: lines are kept, and unsafe characters are escaped. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (mark) =>
    mark === "\n" || mark === "\t" ? mark : `\\u{${mark.charCodeAt(0).toString(16)}}`,
  );
}

/** A program's message as a sentence: capitalised (unless it begins with code) and with a full stop. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  const stopped = /[.!?…:]$/.test(trimmed) ? trimmed : `${trimmed}.`;
  return stopped.charAt(0).toUpperCase() + stopped.slice(1);
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
