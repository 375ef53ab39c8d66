/** What a person says about a branch's change, as one text for the agent. Pure. */
import type { Remark } from "../../state/fleet.svelte";

/** `said` in general, then each remark at its place, in the order of the files. */
export function textOf(said: string, remarks: readonly Remark[], order: readonly string[]): string {
  const sorted = [...remarks].sort((a, b) => order.indexOf(a.path) - order.indexOf(b.path) || a.line - b.line);
  const parts = sorted.map(({ path, line, side, code, text }) => `\`${path}\`, line ${line}${side === "old" ? " before the change" : ""}:\n> ${code.trim()}\n${text.trim()}`);
  return [said.trim(), ...parts].filter(Boolean).join("\n\n");
}

export function isAt(remark: Remark, path: string, { old, new: fresh }: { old: number | null; new: number | null }): boolean {
  return remark.path === path && (remark.side === "new" ? remark.line === fresh : fresh === null && remark.line === old);
}
