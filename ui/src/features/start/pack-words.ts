/** UI text for the pieces of a context pack. */
import type { PackPiece } from "../../generated/api";
import { sentence } from "../../words/text";

/** The lines of a piece as `:10–40, 80–96`; empty for a whole file, and for lists of definitions or commits. */
export function linesOf({ kind, excerpts }: PackPiece): string {
  if (kind === "symbols" || kind === "commits") return "";
  const parts = excerpts.filter(({ whole }) => !whole).map(({ first, last }) => `${first}–${last}`);
  return parts.length > 0 ? `:${parts.join(", ")}` : "";
}

/** Why the piece was chosen, and whether it is left out for its size. */
export function reasonOf({ reason, state }: PackPiece): string {
  const text = sentence(reason.split("; ").join(", "));
  return state === "left_out" ? `Left out for its size. ${text}` : text;
}
