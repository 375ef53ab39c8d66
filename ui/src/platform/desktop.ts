/** The host in the desktop window: one command for all methods, and channels for events and terminals. */
import { invoke } from "@tauri-apps/api/core";
import type { Api, ProjectKey } from "../generated/api";
import { eventsInWindow } from "./desktop-events";
import { terminalInWindow } from "./desktop-terminal";
import { DesktopNotifier } from "./desktop-notifier";
import { CallError, isApiError, type Host } from "./host";

export function desktopHost(): Host {
  return { call, events: eventsInWindow, terminal: terminalInWindow, draws, notifier: new DesktopNotifier() };
}

/** Shows the window, which stays hidden while it loads the page. */
function draws(): void {
  // If this fails, the program shows the window a moment later.
  invoke("page_draws").catch(() => {});
}

async function call<K extends keyof Api>(
  method: K,
  params: Api[K]["params"],
  project?: ProjectKey,
): Promise<Api[K]["result"]> {
  return ask<Api[K]["result"]>("rpc", { method, project: project ?? null, params }, method);
}

/** Saves a document to the downloads folder. Returns its path. */
export function saveInWindow(name: string, text: string): Promise<string> {
  return ask<string>("save_file", { name, text }, name);
}

/** Saves a base64 archive to the downloads folder. Returns its path. */
export function saveArchiveInWindow(name: string, archive: string): Promise<string> {
  return ask<string>("save_archive", { name, archive }, name);
}

async function ask<T>(command: string, args: Record<string, unknown>, what: string): Promise<T> {
  try {
    return await invoke<T>(command, args);
  } catch (thrown) {
    if (isApiError(thrown)) throw CallError.from(thrown);
    throw new CallError("internal", `${what}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}
