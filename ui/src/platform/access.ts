/**
 * This tab's access to the server of its page. The link has a one-time token behind `#`. It is exchanged for the
 * tab's own token, which is kept in the tab's session storage and sent with each request. No cookies or other
 * credentials that browsers send automatically are used.
 * Invariant: after a lost connection, the token is sent only to a server that proved that it issued the token.
 * By then, another program may listen on the port.
 */
import { CallError } from "./host";

const STORAGE_KEY = "access";
/** The subprotocol of every WebSocket; the token is offered as a second subprotocol. */
const SUBPROTOCOL = "beads-console";

const HINT = "Run `beads-console serve --link` and open the link that it prints.";

/** The error of a tab whose access has ended, for example because it was revoked. */
export function accessEnded(): CallError {
  return new CallError("unauthorised", "This tab's access has ended.", HINT);
}

export class TabAccess {
  readonly #base: URL;
  #link: string | null;
  #entering: Promise<string | null> | null = null;
  #linkWasUsed = false;
  /** Whether the server is known to be the one that issued the token. */
  #trusted = true;
  #doubts = 0;
  #proving: Promise<void> | null = null;

  constructor(base: URL) {
    this.#base = base;
    this.#link = new URLSearchParams(location.hash.slice(1)).get("token");
    // Removes the token from the history and the address bar.
    if (this.#link !== null) history.replaceState(history.state, "", base);
  }

  /** Notes that the connection was lost: the server must prove its identity before it gets the token again. */
  doubt(): void {
    this.#trusted = false;
    this.#doubts += 1;
  }

  /** This tab's token. Rejects with `unauthorised` without access, and with `offline` if no trusted server
   * answers. */
  async token(): Promise<string> {
    this.#entering ??= this.#enter();
    const token = await this.#entering.catch((thrown: unknown) => {
      this.#entering = null;
      throw thrown;
    });
    if (token === null) throw this.#refused();
    while (!this.#trusted) await (this.#proving ??= this.#prove(token).finally(() => (this.#proving = null)));
    return token;
  }

  /** Opens a WebSocket with this tab's access. */
  async socket(url: URL): Promise<WebSocket> {
    return new WebSocket(url, [SUBPROTOCOL, `access.${await this.token()}`]);
  }

  async #enter(): Promise<string | null> {
    const link = this.#link;
    if (link !== null) {
      await untilShown();
      const { status, body } = await this.#post("open", { token: link });
      if (status >= 500) throw offline();
      this.#link = null;
      const given = status === 200 ? (body as { access: string }).access : null;
      if (given !== null) storeToken(given);
      if (given !== null) return given;
      this.#linkWasUsed = true;
    }
    return storedToken();
  }

  async #prove(token: string): Promise<void> {
    const doubts = this.#doubts;
    const [id, secret] = token.split(".", 2) as [string, string];
    const nonce = hex(crypto.getRandomValues(new Uint8Array(32)));
    const { status, body } = await this.#post("prove", { id, nonce });
    if (status === 401) throw accessEnded();
    const expected = await digest(`${await digest(secret)}.${nonce}`);
    if (status !== 200 || (body as { proof?: unknown } | null)?.proof !== expected) throw offline();
    if (doubts === this.#doubts) this.#trusted = true;
  }

  /** The error of a tab without access. */
  #refused(): CallError {
    const message = this.#linkWasUsed
      ? "This link no longer works: it was already used, or replaced by a newer one."
      : "This tab was not opened with a link.";
    return new CallError("unauthorised", message, HINT);
  }

  async #post(path: string, body: object): Promise<{ status: number; body: unknown }> {
    try {
      const response = await fetch(new URL(path, this.#base), {
        method: "POST",
        headers: { "content-type": "application/json" },
        credentials: "omit",
        body: JSON.stringify(body),
      });
      return { status: response.status, body: await response.json().catch(() => null) };
    } catch {
      throw offline();
    }
  }
}

/** The error when no server answers, or an untrusted one does. */
export function offline(): CallError {
  return new CallError("offline", "The server does not answer.", "Start it again with `beads-console serve`.");
}

/** Waits until the page is shown: a prerendered page must not use up the one-time link. */
async function untilShown(): Promise<void> {
  const page = document as Document & { prerendering?: boolean };
  if (page.prerendering)
    await new Promise((shown) => document.addEventListener("prerenderingchange", shown, { once: true }));
}

function storedToken(): string | null {
  try {
    return sessionStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function storeToken(token: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, token);
  } catch {
    // Without storage, access lasts until the page closes.
  }
}

async function digest(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
