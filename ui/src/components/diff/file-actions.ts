/** Actions on a file of a change; each is absent where it is not possible. */
import type { FileDiff, FileLines } from "../../generated/api";

export interface FileActions {
  /** Reverts the file, or only one hunk of it, to its state before the change. */
  revert?: (file: FileDiff, hunk: number | null) => void;
  /** Opens the file in the user's editor. */
  open?: (path: string) => void;
  /** Loads the lines `from` (counted from 1) to `to`, inclusive, of the new version; null if they cannot be read. */
  lines?: (path: string, from: number, to: number) => Promise<FileLines | null>;
}
