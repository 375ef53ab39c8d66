/** Checks and reads pasted and dropped files for a message. A file that is too large is refused before it is read. */
import { grouped } from "../../words/count";

/** The largest file, in bytes; the engine has the same limit. */
export const LARGEST_FILE = 10 * 1024 * 1024;

/** Why a file cannot be attached, with the next step; null if it can be. */
export function refusal({ name, size }: Pick<File, "name" | "size">): string | null {
  const megabytes = (bytes: number) => grouped(Math.ceil(bytes / 1024 / 1024));
  if (size === 0) return `${name} was not attached: it is empty or a folder.`;
  if (size > LARGEST_FILE)
    return (
      `${name} was not attached: it has ${megabytes(size)} MB, at most ${megabytes(LARGEST_FILE)} MB are possible. ` +
      "Copy it into the project and mention its path."
    );
  return null;
}

/** The files of a paste or a drop. */
export function filesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])];
}

export async function base64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const CHUNK = 0x8000;
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
