/** Finds the lines of comments after the diff has changed. Pure. */
import { isAt, type ReviewComment } from "../../words/review-comments";
import type { PatchLine } from "./patch";

export interface Placed {
  at: ReadonlyMap<PatchLine, readonly ReviewComment[]>;
  /** Comments whose line is no longer part of the diff. */
  lost: readonly ReviewComment[];
}

/** Places each comment at the line with its number and text, or else at the nearest line with its text. */
export function placed(path: string, comments: readonly ReviewComment[], lines: readonly PatchLine[]): Placed {
  const at = new Map<PatchLine, ReviewComment[]>();
  const lost: ReviewComment[] = [];
  for (const comment of comments) {
    if (comment.path !== path) continue;
    const line = lines.find((one) => isAt(comment, path, one) && one.text === comment.code) ?? nearest(comment, lines);
    if (line) at.set(line, [...(at.get(line) ?? []), comment]);
    else lost.push(comment);
  }
  return { at, lost };
}

function nearest(comment: ReviewComment, lines: readonly PatchLine[]): PatchLine | undefined {
  // Very short texts occur on many lines.
  if (comment.code.trim().length < 3) return undefined;
  const number = (line: PatchLine) => (comment.side === "old" ? line.old : line.new);
  const same = lines.filter((line) => line.text === comment.code && number(line) !== null);
  const away = (line: PatchLine) => Math.abs((number(line) ?? 0) - comment.line);
  return same.sort((a, b) => away(a) - away(b))[0];
}
