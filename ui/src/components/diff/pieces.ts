/** Splits a line into pieces by syntax and by difference. Pure. */
import type { Token } from "../markdown/highlight.svelte";

export interface Piece {
  text: string;
  /** The token kind; null if unknown. */
  kind: string | null;
  /** Whether this part differs from the other version of the line. */
  mark: boolean;
}

/** Splits a line. Tokens that do not add up to the line are ignored. */
export function piecesOf(
  { text, from = 0, to = 0 }: { text: string; from?: number; to?: number },
  tokens?: readonly Token[],
): Piece[] {
  const fits = tokens !== undefined && tokens.reduce((n, token) => n + token.text.length, 0) === text.length;
  const coloured = fits ? tokens : [{ text, kind: null }];
  const pieces: Piece[] = [];
  let at = 0;
  for (const { text: part, kind } of coloured) {
    const cuts = [at, ...[from, to].filter((cut) => to > from && cut > at && cut < at + part.length), at + part.length];
    for (const [i, start] of cuts.slice(0, -1).entries()) {
      const piece = text.slice(start, cuts[i + 1]);
      if (piece !== "") pieces.push({ text: piece, kind, mark: to > from && start >= from && start < to });
    }
    at += part.length;
  }
  return pieces;
}
