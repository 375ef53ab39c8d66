/** A host over HTTP and WebSockets on the same origin: `beads-console serve`. */
import type { Api, ProjectKey } from "../generated/api";
import { accessEnded, offline, TabAccess } from "./access";
import { eventsOver } from "./http-events";
import { terminalOver } from "./http-terminal";
import { CallError, isApiError, type Host } from "./host";
import { BrowserNotifier } from "./notifier";

/** Requests that must complete even if the page closes. Browsers limit their size, so not all requests can. */
const KEEPALIVE: ReadonlySet<keyof Api> = new Set<keyof Api>(["app.keep_layout"]);

/** A reverse proxy's answers for a missing server. The server's own answers with these codes contain an error. */
const BAD_GATEWAY: ReadonlySet<number> = new Set([502, 504]);

export function httpHost(base: URL = new URL(".", location.href)): Host {
  const access = new TabAccess(base);
  const open = (path: string) => (query: Record<string, string>) => access.socket(socketUrl(base, path, query));
  const lost = () => access.doubt();
  return {
    call: (method, params, project) => call(base, access, method, params, project),
    events: (since, handler, connection) => eventsOver(open("events"), lost, since, handler, connection),
    terminal: (project, session) =>
      terminalOver(open(`terminal/${encodeURIComponent(project)}/${encodeURIComponent(session)}`), lost),
    notifier: new BrowserNotifier(),
  };
}

async function call<K extends keyof Api>(
  base: URL,
  access: TabAccess,
  method: K,
  params: Api[K]["params"],
  project?: ProjectKey,
): Promise<Api[K]["result"]> {
  const token = await access.token();
  let response: Response;
  try {
    response = await fetch(new URL(`rpc/${method}`, base), {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      credentials: "omit",
      keepalive: KEEPALIVE.has(method),
      body: JSON.stringify(project === undefined ? { params } : { project, params }),
    });
  } catch {
    access.doubt();
    throw offline();
  }
  if (response.status === 401) throw accessEnded();
  const body: unknown = await response.json().catch(() => null);
  // A reverse proxy answers in place of a server that does not run.
  if (BAD_GATEWAY.has(response.status) && !isApiError(body)) {
    access.doubt();
    throw offline();
  }
  if (response.ok) return body as Api[K]["result"];
  if (isApiError(body)) throw CallError.from(body);
  throw new CallError("internal", `${method}: the server answered ${response.status}.`);
}

function socketUrl(base: URL, path: string, query: Record<string, string>): URL {
  const url = new URL(path, base);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
