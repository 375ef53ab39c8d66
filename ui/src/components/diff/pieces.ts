/** A line as pieces that each look one way: by what it is in the language, and whether it differs. Pure. */
import type { Token } from "../markdown/highlight.svelte";

export interface Piece {
  text: string;
  /** What it is in the language; null where that is not known. */
  kind: string | null;
  /** Whether it is what differs from the line's counterpart. */
  mark: boolean;
}

/** `tokens` must make up the line; without them, or where they do not, it has no colours. */
export function piecesOf({ text, from = 0, to = 0 }: { text: string; from?: number; to?: number }, tokens?: readonly Token[]): Piece[] {
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
