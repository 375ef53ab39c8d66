/** The files of a change in the order in which they are shown, and which of them somebody has looked at. Pure. */
import type { FileDiff } from "../../generated/api";

/** By the files' names, the content that each had when it was looked at. */
export type Marks = ReadonlyMap<string, string>;

/** `changed`: it was looked at, and is another by now. */
export type Seen = "viewed" | "changed" | "no";

type Named = Pick<FileDiff, "path">;
type Markable = Pick<FileDiff, "path" | "content">;

/** By folder, those without one first. */
export function foldersOf<F extends Named>(files: readonly F[]): [folder: string, files: F[]][] {
  const map = new Map<string, F[]>();
  for (const file of files) {
    const folder = file.path.includes("/") ? file.path.slice(0, file.path.lastIndexOf("/")) : "";
    map.set(folder, [...(map.get(folder) ?? []), file]);
  }
  return [...map].sort(([a], [b]) => a.localeCompare(b));
}

/** As they stand under each other. */
export function inOrder<F extends Named>(files: readonly F[]): F[] {
  return foldersOf(files).flatMap(([, list]) => list);
}

export function seenOf({ path, content }: Markable, marks: Marks): Seen {
  const mark = marks.get(path);
  // Of one without a name it cannot be told.
  if (mark === undefined || content === null) return "no";
  return mark === content ? "viewed" : "changed";
}

/** How many were looked at as they are, of those of which that can be told. */
export function countOf(files: readonly Markable[], marks: Marks): { viewed: number; of: number } {
  const known = files.filter(({ content }) => content !== null);
  return { viewed: known.filter((file) => seenOf(file, marks) === "viewed").length, of: known.length };
}

/** The one after `from` that is still to be looked at, from the first on again after the last; none but `from` is none. */
export function nextUnviewed<F extends Markable>(files: readonly F[], marks: Marks, from: string): F | undefined {
  const order = inOrder(files);
  const at = order.findIndex(({ path }) => path === from);
  const others = [...order.slice(at + 1), ...order.slice(0, Math.max(at, 0))];
  return others.find((file) => file.content !== null && seenOf(file, marks) !== "viewed");
}

/** The one after (`by` 1) or before (-1) `from` that will do. */
export function neighbour<F extends Named>(files: readonly F[], from: string, by: 1 | -1, will: (file: F) => boolean): F | undefined {
  const order = inOrder(files);
  const at = order.findIndex(({ path }) => path === from);
  return by === 1 ? order.slice(at + 1).find(will) : order.slice(0, Math.max(at, 0)).findLast(will);
}
