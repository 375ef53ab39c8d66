/** The possible actions on a file of a change. */
import type { FileDiff, FileLines } from "../../generated/api";

export interface FileActions {
  /** Takes the file, or one hunk of it, back to its state before the change. */
  revert?: (file: FileDiff, hunk: number | null) => void;
  /** Opens it in the user's editor. */
  open?: (path: string) => void;
  /** Lines of its new version; null if they cannot be read. */
  lines?: (path: string, from: number, to: number) => Promise<FileLines | null>;
}
