/** Comments being written, by line. They survive a reload of the change. */
import { isAt, spotOf, type Numbers, type ReviewComment, type Spot } from "../../words/review-comments";
import type { PatchLine } from "./patch";

export class Drafts {
  #all = $state.raw<readonly (Spot & { text: string })[]>([]);

  /** The draft at a line; null if there is none. */
  at(path: string, line: Numbers): string | null {
    return this.#all.find((one) => isAt(one, path, line))?.text ?? null;
  }

  /** Opens a draft at a line and drops drafts without text. */
  begin(path: string, line: Numbers): void {
    if (this.at(path, line) !== null) return;
    this.#all = this.#all.filter(({ text }) => text.trim() !== "");
    this.write(path, line, "");
  }

  /** Sets the draft's text; null removes the draft. */
  write(path: string, line: Numbers, text: string | null): void {
    const others = this.#all.filter((one) => !isAt(one, path, line));
    this.#all = text === null ? others : [...others, { ...spotOf(path, line), text }];
  }

  /** A new comment at a line. */
  commentAt(path: string, line: PatchLine, text: string): ReviewComment {
    return { ...spotOf(path, line), code: line.text, text, id: crypto.randomUUID(), sent: null };
  }

  /** Whether a comment is being written in a file. */
  isWritingIn(path: string): boolean {
    return this.#all.some((one) => one.path === path);
  }
}
