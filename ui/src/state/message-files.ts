/** Attached files in a message: mentions of files in the session's own folder, shown as names instead of paths.
 * Pure. */

export interface AttachedFile {
  /** The text that makes Claude read the file. */
  mention: string;
  name: string;
  image: boolean;
}

const MENTION = /@(?:"([^"\n]*\/person\/attachments\/[^"\n/]+)"|(\S*\/person\/attachments\/[^\s/"]+))/g;

/** Separates the files that a message mentions from its text. */
export function filesIn(message: string): { files: AttachedFile[]; text: string } {
  const files: AttachedFile[] = [];
  const text = message.replace(MENTION, (mention, quoted: string | undefined, plain: string | undefined) => {
    files.push(fileOf(mention, quoted ?? plain ?? ""));
    return "";
  });
  if (files.length === 0) return { files, text: message };
  return { files, text: text.replace(/^[ \t]+|[ \t]+$/g, "") };
}

/** The message with its files first. */
export function withFiles(files: readonly AttachedFile[], text: string): string {
  return [...files.map(({ mention }) => mention), text].filter((part) => part !== "").join(" ");
}

export function fileOf(mention: string, path: string): AttachedFile {
  const name = (path.split("/").pop() ?? path).replace(/^[0-9a-f]{8}-/, "");
  return { mention, name, image: isImage(name) };
}

export function isImage(name: string): boolean {
  return /\.(?:png|jpe?g|gif|webp)$/i.test(name);
}
