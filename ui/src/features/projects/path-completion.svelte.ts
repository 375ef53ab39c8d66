/** Completion of a folder path; only the answer to the latest text counts. */
import type { FolderSuggestions, SuggestedFolder } from "../../generated/api";

export class PathCompletion {
  choices = $state.raw<readonly SuggestedFolder[]>([]);
  /** Whether more folders match than are listed. */
  more = $state(false);
  /** The index of the highlighted choice; -1 for none. */
  at = $state(-1);

  readonly #ask: (path: string) => Promise<FolderSuggestions>;
  #round = 0;

  constructor(ask: (path: string) => Promise<FolderSuggestions>) {
    this.#ask = ask;
  }

  get chosen(): SuggestedFolder | undefined {
    return this.choices[this.at];
  }

  /** Loads the choices for a path. */
  async update(path: string): Promise<void> {
    const round = ++this.#round;
    try {
      const { folders, more } = await this.#ask(path);
      if (round === this.#round) this.#show(folders, more);
    } catch {
      // Errors are reported when the folder is opened.
      if (round === this.#round) this.#show([], false);
    }
  }

  move(step: 1 | -1): void {
    const count = this.choices.length;
    if (count > 0) this.at = this.at < 0 && step < 0 ? count - 1 : (this.at + step + count) % count;
  }

  /** The path after Tab: the highlighted or only folder, or the common prefix; null if Tab adds nothing. */
  completed(path: string): string | null {
    const one = this.chosen ?? (this.choices.length === 1 ? this.choices[0] : undefined);
    if (one) return `${one.path}/`;
    const common = this.choices
      .map((choice) => choice.path)
      .reduce((all, next) => shared(all, next), this.choices[0]?.path ?? "");
    return common.length > path.length && !this.more ? common : null;
  }

  #show(choices: readonly SuggestedFolder[], more: boolean): void {
    [this.choices, this.more, this.at] = [choices, more, -1];
  }
}

function shared(a: string, b: string): string {
  let end = 0;
  while (end < a.length && a[end] === b[end]) end++;
  return a.slice(0, end);
}
