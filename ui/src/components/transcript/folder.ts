/** Paths as seen from the session's working folder. */
import { getContext, setContext } from "svelte";

/** `src/login.rs` for what is in the folder; what is elsewhere stays as it is. */
export function within(path: string, folder: string): string {
  const root = folder.replace(/[\\/]+$/, "");
  if (root === "" || !path.startsWith(root)) return path;
  const rest = path.slice(root.length);
  if (rest === "") return ".";
  return /^[\\/]/.test(rest) ? rest.slice(1) : path;
}

const FOLDER = Symbol("folder");

export function provideFolder(folder: () => string): void {
  setContext(FOLDER, folder);
}

/** The working folder; empty where nobody knows it. */
export function useFolder(): () => string {
  return getContext<(() => string) | undefined>(FOLDER) ?? (() => "");
}
