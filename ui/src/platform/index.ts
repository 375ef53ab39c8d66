/** Chooses the host that this page belongs to. */
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

/** In the desktop window, sees to what a browser does by itself; `unopened` is told what nothing here opens. */
export async function settleInWindow(unopened: (address: string) => void): Promise<void> {
  if (!inDesktopWindow()) return;
  const { keepToWindow } = await import("./desktop-page");
  keepToWindow(unopened);
}

export * from "./host";
export { saveFile } from "./save";
