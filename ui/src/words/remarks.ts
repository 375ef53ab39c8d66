/** What a person says about a change, as one text for the agent. Pure. */

/** A comment on a line of a change. */
export interface Remark {
  path: string;
  /** The line's number on its side: after the change, or before it where the line went. */
  line: number;
  side: "new" | "old";
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

export function isAt(remark: Remark, path: string, { old, new: fresh }: { old: number | null; new: number | null }): boolean {
  return remark.path === path && (remark.side === "new" ? remark.line === fresh : fresh === null && remark.line === old);
}
