/** Actions on a file of a change; each is absent where it is not possible. */
import type { FileDiff, FileLines } from "../../generated/api";

export interface FileActions {
  /** Reverts the file, or only one hunk of it, to its state before the change. */
  revert?: (file: FileDiff, hunk: number | null) => void;
  /** Opens the file in the user's editor. */
  open?: (path: string) => void;
  /** Loads lines of the file's new version; null if they cannot be read. */
  lines?: (path: string, from: number, to: number) => Promise<FileLines | null>;
}
