/** The total numbers of added and removed lines. Pure. */
import type { FileDiff } from "../../generated/api";

export function lineSums(files: readonly Pick<FileDiff, "added" | "removed">[]): { added: number; removed: number } {
  return {
    added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
    removed: files.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
  };
}
