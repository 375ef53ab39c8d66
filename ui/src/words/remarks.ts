/** What a person says about a change, as one text for the agent. Pure. */

/** A line of a change, which is the same one however often the change is read. */
export interface Spot {
  path: string;
  /** The line's number on its side: after the change, or before it where the line went. */
  line: number;
  side: "new" | "old";
}

/** A comment on a line of a change. */
export interface Remark extends Spot {
  /** The line itself. */
  code: string;
  text: string;
}

/** `said` in general, then each remark at its place, in the order of the files. */
export function textOf(said: string, remarks: readonly Remark[], order: readonly string[]): string {
  const sorted = [...remarks].sort((a, b) => order.indexOf(a.path) - order.indexOf(b.path) || a.line - b.line);
  const parts = sorted.map(({ path, line, side, code, text }) => `\`${path}\`, line ${line}${side === "old" ? " before the change" : ""}:\n> ${code.trim()}\n${text.trim()}`);
  return [said.trim(), ...parts].filter(Boolean).join("\n\n");
}

/** A line's numbers before and after the change; null where it is not there. */
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
