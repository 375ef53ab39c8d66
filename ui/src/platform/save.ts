/** Saves documents: a download in a browser, a file in the downloads folder in the desktop window. */
import { inDesktopWindow } from "./where";

/** Saves a document. Returns its path; in a browser, which chooses the folder, only the name. */
export async function saveFile(name: string, text: string, type = "text/markdown"): Promise<string> {
  if (inDesktopWindow()) {
    const { saveInWindow } = await import("./desktop");
    return saveInWindow(name, text);
  }
  return download(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** Saves a base64 archive, as `saveFile` does. */
export async function saveArchive(name: string, archive: string): Promise<string> {
  if (inDesktopWindow()) {
    const { saveArchiveInWindow } = await import("./desktop");
    return saveArchiveInWindow(name, archive);
  }
  const bytes = Uint8Array.from(atob(archive), (char) => char.charCodeAt(0));
  return download(name, new Blob([bytes], { type: "application/zip" }));
}

function download(name: string, blob: Blob): string {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return name;
}
