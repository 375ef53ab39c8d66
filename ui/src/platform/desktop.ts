/** The host in the desktop window: one command for every method, channels for events and terminals. */
import { invoke } from "@tauri-apps/api/core";
import type { Api, ApiError, ProjectKey } from "../generated/api";
import { eventsInWindow } from "./desktop-events";
import { terminalInWindow } from "./desktop-terminal";
import { CallError, type Host } from "./host";

export function desktopHost(): Host {
  return { call, events: eventsInWindow, terminal: terminalInWindow, draws };
}

/** The window, in which the page was loaded out of sight, is shown. */
function draws(): void {
  // One that does not hear of it is shown a moment later.
  invoke("page_draws").catch(() => {});
}

async function call<K extends keyof Api>(
  method: K,
  params: Api[K]["params"],
  project?: ProjectKey,
): Promise<Api[K]["result"]> {
  return ask<Api[K]["result"]>("rpc", { method, project: project ?? null, params }, method);
}

/** Puts a document into the folder for downloads; answers its path. */
export function saveInWindow(name: string, text: string): Promise<string> {
  return ask<string>("save_file", { name, text }, name);
}

async function ask<T>(command: string, args: Record<string, unknown>, what: string): Promise<T> {
  try {
    return await invoke<T>(command, args);
  } catch (thrown) {
    if (isApiError(thrown)) throw CallError.from(thrown);
    throw new CallError("internal", `${what}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

function isApiError(thrown: unknown): thrown is ApiError {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && "message" in thrown;
}
