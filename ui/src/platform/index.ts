/** Chooses the host of this page. */
import type { Host } from "./host";
import { httpHost } from "./http";
import { inDesktopWindow } from "./where";

export async function chooseHost(): Promise<Host> {
  if ((import.meta.env.DEV || import.meta.env.MODE === "made-up") && new URLSearchParams(location.search).has("fake")) {
    const { fakeHost } = await import("./fake");
    return fakeHost(new URLSearchParams(location.search));
  }
  if (inDesktopWindow()) {
    const { desktopHost } = await import("./desktop");
    return desktopHost();
  }
  return httpHost();
}

/** Sets up the desktop window. `unopened` is called if no program opens an address, and `open` for each folder that
 * the user opens with the program. */
export async function settleInWindow(
  unopened: (address: string) => void,
  open: (folder: string) => void,
): Promise<void> {
  if (!inDesktopWindow()) return;
  const { setUpDesktopPage } = await import("./desktop-page");
  setUpDesktopPage(unopened, open);
}

export * from "./host";
export { saveArchive, saveFile } from "./save";
