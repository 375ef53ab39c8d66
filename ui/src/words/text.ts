/** Text from outside in one line: what could reorder, hide or move what is around it is left out. */

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

/** The same, for what somebody decides on: it keeps its lines, and what is left out elsewhere is spelled out. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (mark) => (mark === "\n" || mark === "\t" ? mark : `\\u{${mark.charCodeAt(0).toString(16)}}`));
}

/** What a program said, as a sentence: it begins with a capital, unless with code, and ends with a stop. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  const stopped = /[.!?…:]$/.test(trimmed) ? trimmed : `${trimmed}.`;
  return stopped.charAt(0).toUpperCase() + stopped.slice(1);
}

/** A text in pieces, every second one was between backticks. */
export function pieces(text: string): { text: string; code: boolean }[] {
  return text
    .split("`")
    .map((piece, i) => ({ text: piece, code: i % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
