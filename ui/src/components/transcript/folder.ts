/** Paths relative to the session's working folder. */
import { getContext, setContext } from "svelte";

/** `src/login.rs` for paths in the folder; other paths stay absolute. */
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

/** The working folder; empty if unknown. */
export function useFolder(): () => string {
  return getContext<(() => string) | undefined>(FOLDER) ?? (() => "");
}
