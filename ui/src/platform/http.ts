/** A host behind HTTP and WebSockets on the same origin: `beads-console serve`. */
import type { Api, ApiError, ProjectKey } from "../generated/api";
import { eventsOver } from "./http-events";
import { terminalOver } from "./http-terminal";
import { CallError, type Host } from "./host";

/** What is asked as a page closes reaches the server all the same. (Not everything may: a browser limits its size.) */
const OUTLIVES: ReadonlySet<keyof Api> = new Set<keyof Api>(["app.keep_layout"]);

export function httpHost(base: URL = new URL(".", location.href)): Host {
  return {
    call: (method, params, project) => call(base, method, params, project),
    events: (since, handler, connection) => eventsOver(() => socketUrl(base, "events"), since, handler, connection),
    terminal: (project, session) =>
      terminalOver(() => socketUrl(base, `terminal/${encodeURIComponent(project)}/${encodeURIComponent(session)}`)),
  };
}

async function call<K extends keyof Api>(
  base: URL,
  method: K,
  params: Api[K]["params"],
  project?: ProjectKey,
): Promise<Api[K]["result"]> {
  let response: Response;
  try {
    response = await fetch(new URL(`rpc/${method}`, base), {
      method: "POST",
      headers: { "content-type": "application/json" },
      credentials: "same-origin",
      keepalive: OUTLIVES.has(method),
      body: JSON.stringify(project === undefined ? { params } : { project, params }),
    });
  } catch {
    throw new CallError("offline", "The server does not answer.", "Start it again with `beads-console serve`.");
  }
  if (response.status === 401) {
    throw new CallError(
      "unauthorised",
      "This page's access has ended.",
      "Open the link that `beads-console serve` printed.",
    );
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as Api[K]["result"];
  if (isApiError(body)) throw CallError.from(body);
  throw new CallError("internal", `${method}: the server answered ${response.status}.`);
}

function isApiError(body: unknown): body is ApiError {
  return typeof body === "object" && body !== null && "code" in body && "message" in body;
}

function socketUrl(base: URL, path: string): URL {
  const url = new URL(path, base);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url;
}
