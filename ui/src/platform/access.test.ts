import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TabAccess } from "./access";

const BASE = new URL("http://localhost:3000/");
const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const random = (bytes: number) => hex(crypto.getRandomValues(new Uint8Array(bytes)));
const sha = async (text: string) =>
  hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));

/** A server that grants tokens as the real one does, and records the requests. */
class Server {
  readonly links = new Set<string>();
  readonly verifiers = new Map<string, string>();
  readonly asked: { path: string; body: Record<string, string> }[] = [];
  down = false;

  readonly answer = async (url: URL | string, init?: RequestInit): Promise<Response> => {
    if (this.down) throw new TypeError("failed to fetch");
    const path = new URL(url).pathname;
    const body = JSON.parse(String(init?.body)) as Record<string, string>;
    this.asked.push({ path, body });
    const reply = await (path === "/open"
      ? this.#open(body["token"] ?? "")
      : this.#prove(body["id"] ?? "", body["nonce"] ?? ""));
    return reply ? Response.json(reply) : new Response("no", { status: 401 });
  };

  async #open(link: string): Promise<object | null> {
    if (!this.links.delete(link)) return null;
    const [id, secret] = [random(8), random(32)];
    this.verifiers.set(id, await sha(secret));
    return { access: `${id}.${secret}` };
  }

  async #prove(id: string, nonce: string): Promise<object | null> {
    const verifier = this.verifiers.get(id);
    return verifier ? { proof: await sha(`${verifier}.${nonce}`) } : null;
  }
}

let server: Server;
const at = (path: string) => history.replaceState(null, "", path);
const opened = () => {
  server.links.add("one");
  at("/open#token=one");
  return new TabAccess(BASE);
};

beforeEach(() => {
  server = new Server();
  vi.stubGlobal("fetch", (url: URL, init?: RequestInit) => server.answer(url, init));
});
afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
  at("/");
});

describe("tab access", () => {
  it("comes from its link, leaves the address bar at once, and survives a reload", async () => {
    const access = opened();
    expect(location.href).toBe("http://localhost:3000/");
    const token = await access.token();
    expect([token, await access.token()]).toEqual([token, token]);
    expect(server.asked).toHaveLength(1);
    expect(await new TabAccess(BASE).token()).toBe(token);
    expect(server.asked).toHaveLength(1);
  });

  it("is refused without a link, and with a used link", async () => {
    await expect(new TabAccess(BASE).token()).rejects.toMatchObject({
      code: "unauthorised",
      message: "This tab was not opened with a link.",
    });
    await opened().token();
    sessionStorage.clear();
    at("/open#token=one");
    await expect(new TabAccess(BASE).token()).rejects.toMatchObject({
      code: "unauthorised",
      message: /no longer works/,
    });
  });

  it("is kept when a tab that has it opens a used link", async () => {
    const token = await opened().token();
    at("/open#token=one");
    expect(await new TabAccess(BASE).token()).toBe(token);
  });

  it("is retried when the server did not answer the first time", async () => {
    const access = opened();
    server.down = true;
    await expect(access.token()).rejects.toMatchObject({ code: "offline" });
    server.down = false;
    expect(await access.token()).toBe(sessionStorage.getItem("access"));
  });
});

describe("the token after a lost connection", () => {
  it("is sent once the same server has proved its identity, with one proof for all requests", async () => {
    const access = opened();
    const token = await access.token();
    access.doubt();
    expect(await Promise.all([access.token(), access.token()])).toEqual([token, token]);
    await access.token();
    expect(server.asked.map(({ path }) => path)).toEqual(["/open", "/prove"]);
    expect(JSON.stringify(server.asked[1])).not.toContain(token.split(".")[1]);
  });

  it("is not sent while another program listens on the port", async () => {
    const access = opened();
    const token = await access.token();
    const sent: string[] = [];
    access.doubt();
    const answers = [
      Response.json({ proof: await sha("guess") }),
      Response.json({}),
      Response.json(null),
      new Response("<html>"),
      new Response("", { status: 500 }),
    ];
    for (const answer of answers) {
      vi.stubGlobal("fetch", async (url: URL, init?: RequestInit) => {
        sent.push(String(url), JSON.stringify(init));
        return answer;
      });
      await expect(access.token()).rejects.toMatchObject({ code: "offline" });
    }
    expect(sent.join()).not.toContain(token.split(".")[1]);
    vi.stubGlobal("fetch", (url: URL, init?: RequestInit) => server.answer(url, init));
    expect(await access.token()).toBe(token);
  });

  it("needs a new proof if the connection broke meanwhile", async () => {
    const access = opened();
    await access.token();
    access.doubt();
    let cuts = 1;
    vi.stubGlobal("fetch", (url: URL, init?: RequestInit) => {
      if (cuts-- > 0) access.doubt();
      return server.answer(url, init);
    });
    await access.token();
    await access.token();
    expect(server.asked.map(({ path }) => path)).toEqual(["/open", "/prove", "/prove"]);
  });

  it("is dropped if the server does not know the tab", async () => {
    const access = opened();
    await access.token();
    server.verifiers.clear();
    access.doubt();
    await expect(access.token()).rejects.toMatchObject({ code: "unauthorised" });
  });

  it("is sent to a WebSocket beside the subprotocol that the server accepts", async () => {
    const sockets: unknown[][] = [];
    vi.stubGlobal(
      "WebSocket",
      class {
        constructor(...given: unknown[]) {
          sockets.push(given);
        }
      },
    );
    const access = opened();
    const url = new URL("ws://localhost:3000/events");
    await access.socket(url);
    expect(sockets).toEqual([[url, ["beads-console", `access.${await access.token()}`]]]);
  });
});
