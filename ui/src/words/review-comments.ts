/** Review comments on a diff, combined into one text for the agent. Pure. */

/** The position of a line in a diff, independent of how the diff is displayed. */
export interface Spot {
  path: string;
  /** The line number in the version of `side`: `old` for removed lines. */
  line: number;
  side: "new" | "old";
}

/** A comment on a line of a change. */
export interface ReviewComment extends Spot {
  /** The text of the commented line. */
  code: string;
  text: string;
  /** The ID of a stored comment; absent before it is stored. */
  id?: string;
  /** When it was sent to the agent; null until then. */
  sent?: string | null;
}

/** Combines the general comment and the line comments, in file order. */
export function textOf(said: string, remarks: readonly ReviewComment[], order: readonly string[]): string {
  const sorted = [...remarks].sort((a, b) => order.indexOf(a.path) - order.indexOf(b.path) || a.line - b.line);
  // The empty line keeps the comment from becoming part of the quote.
  const parts = sorted.map(
    ({ path, line, side, code, text }) =>
      `\`${path}\`, line ${line}${side === "old" ? " before the change" : ""}:\n> ${code.trim()}\n\n${text.trim()}`,
  );
  return [said.trim(), ...parts].filter(Boolean).join("\n\n");
}

/** A line's numbers in both versions; null where it does not exist. */
export interface Numbers {
  old: number | null;
  new: number | null;
}

export function spotOf(path: string, { old, new: fresh }: Numbers): Spot {
  return fresh === null ? { path, line: old ?? 0, side: "old" } : { path, line: fresh, side: "new" };
}

export function isAt(spot: Spot, path: string, line: Numbers): boolean {
  const { line: number, side } = spotOf(path, line);
  return spot.path === path && spot.side === side && spot.line === number;
}
