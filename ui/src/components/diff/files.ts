/** The files of a change in display order, and which are viewed. Pure. */
import type { FileDiff } from "../../generated/api";

/** Per path, the ID of the content that was viewed. */
export type Marks = ReadonlyMap<string, string>;

/** `changed`: the file changed after it was viewed. */
export type Seen = "viewed" | "changed" | "no";

type Named = Pick<FileDiff, "path">;
type Markable = Pick<FileDiff, "path" | "content">;

/** The number of lines of a diff, hunk heads included. */
export function linesOf({ diff }: Pick<FileDiff, "diff">): number {
  let lines = 0;
  for (let at = diff.indexOf("\n"); at >= 0; at = diff.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** Groups files by folder; files without a folder come first. */
export function foldersOf<F extends Named>(files: readonly F[]): [folder: string, files: F[]][] {
  const map = new Map<string, F[]>();
  for (const file of files) {
    const folder = file.path.includes("/") ? file.path.slice(0, file.path.lastIndexOf("/")) : "";
    map.set(folder, [...(map.get(folder) ?? []), file]);
  }
  return [...map].sort(([a], [b]) => a.localeCompare(b));
}

/** Sorts files in display order. */
export function inOrder<F extends Named>(files: readonly F[]): F[] {
  return foldersOf(files).flatMap(([, list]) => list);
}

export function seenOf({ path, content }: Markable, marks: Marks): Seen {
  const mark = marks.get(path);
  // Without a content ID, it is unknown whether the file was viewed.
  if (mark === undefined || content === null) return "no";
  return mark === content ? "viewed" : "changed";
}

/** The number of viewed files, and of files that can be marked. */
export function countOf(files: readonly Markable[], marks: Marks): { viewed: number; of: number } {
  const known = files.filter(({ content }) => content !== null);
  return { viewed: known.filter((file) => seenOf(file, marks) === "viewed").length, of: known.length };
}

/** The next unviewed file after `from`, wrapping around. */
export function nextUnviewed<F extends Markable>(files: readonly F[], marks: Marks, from: string): F | undefined {
  const order = inOrder(files);
  const at = order.findIndex(({ path }) => path === from);
  const others = [...order.slice(at + 1), ...order.slice(0, Math.max(at, 0))];
  return others.find((file) => file.content !== null && seenOf(file, marks) !== "viewed");
}

/** The next (`by` 1) or previous (-1) file that matches. */
export function neighbour<F extends Named>(
  files: readonly F[],
  from: string,
  by: 1 | -1,
  will: (file: F) => boolean,
): F | undefined {
  const order = inOrder(files);
  const at = order.findIndex(({ path }) => path === from);
  return by === 1 ? order.slice(at + 1).find(will) : order.slice(0, Math.max(at, 0)).findLast(will);
}
