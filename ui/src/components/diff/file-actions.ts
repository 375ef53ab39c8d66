/** What can be done with a file of a change; absent where it is not possible. */
import type { FileDiff, FileLines } from "../../generated/api";

export interface FileActions {
  /** Takes the file, or one hunk of it, back to its state before the change. */
  revert?: (file: FileDiff, hunk: number | null) => void;
  /** Opens it in the user's editor. */
  open?: (path: string) => void;
  /** Lines of its new version; null if they cannot be read. */
  lines?: (path: string, from: number, to: number) => Promise<FileLines | null>;
}
