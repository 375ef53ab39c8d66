/** Documents for the person: a download in a browser, a file in the folder for downloads in the desktop window. */
import { inDesktopWindow } from "./where";

/** Answers where it is: a path, or in a browser, which chooses the place itself, the name. */
export async function saveFile(name: string, text: string, type = "text/markdown"): Promise<string> {
  if (inDesktopWindow()) {
    const { saveInWindow } = await import("./desktop");
    return saveInWindow(name, text);
  }
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return name;
}
