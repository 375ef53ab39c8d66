/** Chooses the host that this page belongs to. */
import type { Host } from "./host";
import { httpHost } from "./http";

export async function chooseHost(): Promise<Host> {
  if (import.meta.env.DEV && new URLSearchParams(location.search).has("fake")) {
    const { fakeHost } = await import("./fake");
    return fakeHost(new URLSearchParams(location.search));
  }
  return httpHost();
}

export * from "./host";
