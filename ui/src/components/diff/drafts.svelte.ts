/** Comments that are being written, by their places: a change may be read again in the middle of a word. */
import { isAt, spotOf, type Numbers, type Spot } from "../../words/remarks";

export class Drafts {
  #all = $state.raw<readonly (Spot & { text: string })[]>([]);

  /** What is written at a line; null where nothing is. */
  at(path: string, line: Numbers): string | null {
    return this.#all.find((one) => isAt(one, path, line))?.text ?? null;
  }

  /** Somebody wants to write at a line. Where nothing was written yet, nothing is any more. */
  begin(path: string, line: Numbers): void {
    if (this.at(path, line) !== null) return;
    this.#all = this.#all.filter(({ text }) => text.trim() !== "");
    this.write(path, line, "");
  }

  /** Null: nothing is written there any more. */
  write(path: string, line: Numbers, text: string | null): void {
    const others = this.#all.filter((one) => !isAt(one, path, line));
    this.#all = text === null ? others : [...others, { ...spotOf(path, line), text }];
  }

  clear(): void {
    this.#all = [];
  }
}
