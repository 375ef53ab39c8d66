/** Paths relative to the session's working folder. */
import { createContext } from "svelte";

/** A path in the folder relative to it, such as `src/login.rs`, or `.` for the folder itself. Other paths stay as they
 * are. */
export function within(path: string, folder: string): string {
  const root = folder.replace(/[\\/]+$/, "");
  if (root === "" || !path.startsWith(root)) return path;
  const rest = path.slice(root.length);
  if (rest === "") return ".";
  return /^[\\/]/.test(rest) ? rest.slice(1) : path;
}

const [folder, provideFolder, hasFolder] = createContext<() => string>();
export { provideFolder };

/** The working folder; empty if unknown. */
export function useFolder(): () => string {
  return hasFolder() ? folder() : () => "";
}
