/** Checks and reads the files that the user attaches to a message. Pure, except for `base64`. */
import { grouped } from "../../words/count";

/** The largest file, in bytes; the engine has the same limit. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Why a file cannot be attached, with the next step; null if it can be. */
export function refusal({ name, size }: Pick<File, "name" | "size">): string | null {
  const megabytes = (bytes: number) => grouped(Math.ceil(bytes / 1024 / 1024));
  if (size === 0) return `${name} was not attached: it is empty or a folder.`;
  if (size > MAX_FILE_BYTES)
    return (
      `${name} was not attached: it has ${megabytes(size)} MB, and the limit is ${megabytes(MAX_FILE_BYTES)} MB. ` +
      "Copy it into the project and mention its path."
    );
  return null;
}

/** The files of a paste or a drop. */
export function filesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])];
}

/** The content of a file in base64. */
export async function base64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const CHUNK = 0x8000;
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
