import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EventEnvelope } from "../generated/api";
import { CallError, type Connection, type Host } from "./host";
import { httpHost } from "./http";
import { eventsOver } from "./http-events";

const BASE = new URL("http://127.0.0.1:1/");

/** A WebSocket that the test opens, feeds and cuts. */
class Socket {
  static all: Socket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  closed = false;

  constructor(
    readonly url: URL,
    readonly protocols: string[] = [],
  ) {
    Socket.all.push(this);
  }

  close(): void {
    this.closed = true;
  }

  tell(seq: number, type: "beads_changed" | "resync" = "beads_changed"): void {
    this.onmessage?.({ data: JSON.stringify({ seq, event: { type } } satisfies EventEnvelope) });
  }

  cut(code = 1006): void {
    this.onclose?.({ code });
  }
}

const last = () => Socket.all.at(-1) as Socket;

describe("events over a socket", () => {
  let heard: number[];
  let states: Connection[];
  let stop: () => void;
  /** The reason why no socket can be opened; null if one can be. */
  let why: CallError | null;
  let broken: number;
  const rest = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
  const connect = async (query: Record<string, string>) => {
    if (why) throw why;
    return new Socket(new URL(`ws://127.0.0.1/events?${new URLSearchParams(query)}`)) as unknown as WebSocket;
  };

  beforeEach(async () => {
    vi.useFakeTimers();
    Socket.all = [];
    heard = [];
    states = [];
    why = null;
    broken = 0;
    stop = eventsOver(
      connect,
      () => (broken += 1),
      null,
      (e) => heard.push(e.event.type === "resync" ? -1 : e.seq),
      (s) => states.push(s),
    );
    await rest();
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  it("asks for the events after the last one when it reconnects", async () => {
    last().onopen?.();
    last().tell(4);
    last().tell(5);
    last().cut();
    await rest(300);
    expect(Socket.all).toHaveLength(2);
    expect(last().url.searchParams.get("since")).toBe("5");
    last().onopen?.();
    last().tell(5);
    last().tell(6);
    expect(heard).toEqual([4, 5, 6]);
    expect(states).toEqual(["connecting", "live", "lost", "live"]);
  });

  it("reloads after a reconnect if no event was received", async () => {
    last().onopen?.();
    last().cut();
    await rest(300);
    last().onopen?.();
    expect(heard).toEqual([-1]);
  });

  it("reloads too if the first connection never succeeded", async () => {
    last().cut();
    await rest(300);
    last().onopen?.();
    expect(heard).toEqual([-1]);
  });

  it("resyncs and restarts the count after a restart of the server", async () => {
    last().onopen?.();
    last().tell(90);
    last().cut();
    await rest(300);
    last().onopen?.();
    last().tell(1, "resync");
    last().tell(2);
    expect(heard).toEqual([90, -1, 2]);
  });

  it("keeps trying without a server, and shows the reason", async () => {
    last().onopen?.();
    why = new CallError("offline", "The server does not answer.");
    last().cut();
    expect(broken).toBe(1);
    await rest(1000);
    expect(Socket.all).toHaveLength(1);
    why = new CallError("unauthorised", "This tab has no access.");
    await rest(8000);
    expect(states.at(-1)).toBe("refused");
    why = null;
    await rest(8000);
    last().onopen?.();
    expect(states.at(-1)).toBe("live");
  });

  it("a tab without access asks once", async () => {
    stop();
    why = new CallError("unauthorised", "This tab has no access.");
    const tried = vi.fn(connect);
    const said: Connection[] = [];
    eventsOver(
      tried,
      () => undefined,
      null,
      () => undefined,
      (s) => said.push(s),
    );
    await rest(60_000);
    expect(tried).toHaveBeenCalledTimes(1);
    expect(said).toEqual(["connecting", "refused"]);
  });

  it("backs off, and stops after a revocation", async () => {
    for (let i = 0; i < 8; i++) {
      last().cut();
      await rest(8000);
    }
    const tries = Socket.all.length;
    expect(tries).toBeLessThanOrEqual(9);
    last().cut(1008);
    await rest(60_000);
    expect(Socket.all).toHaveLength(tries);
    expect(states.at(-1)).toBe("revoked");
  });
});

describe("commands over HTTP", () => {
  beforeEach(() => sessionStorage.setItem("access", "id.secret"));
  afterEach(() => {
    vi.unstubAllGlobals();
    sessionStorage.clear();
  });
  let host: Host;
  beforeEach(() => (host = httpHost(BASE)));
  const answers = (status: number, body: unknown) =>
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => new Response(JSON.stringify(body), { status })),
    );

  it("send the project with the parameters", async () => {
    answers(200, { beads: [], warnings: [] });
    await host.call("bead.list", {}, "p1");
    const [url, init] = vi.mocked(fetch).mock.calls[0] ?? [];
    expect(String(url)).toBe("http://127.0.0.1:1/rpc/bead.list");
    expect(JSON.parse(String(init?.body))).toEqual({ project: "p1", params: {} });
    expect(init?.headers).toMatchObject({ authorization: "Bearer id.secret" });
    expect(init?.credentials).toBe("omit");
  });

  it("keep an error's code and hint", async () => {
    answers(409, { code: "bead_claimed", message: "BC-1 is Mara's.", hint: "Ask her." });
    await expect(host.call("bead.claim", { id: "BC-1" })).rejects.toMatchObject({
      code: "bead_claimed",
      hint: "Ask her.",
    });
  });

  it("have their own codes for no access and no server", async () => {
    answers(401, {});
    await expect(host.call("app.info", {})).rejects.toMatchObject({ code: "unauthorised" });
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => Promise.reject(new TypeError("failed to fetch"))),
    );
    await expect(host.call("app.info", {})).rejects.toMatchObject({ code: "offline" });
  });

  it("treat a reverse proxy's error page as a missing server", async () => {
    for (const status of [502, 504]) {
      vi.stubGlobal(
        "fetch",
        vi.fn(async () => new Response("<html>Bad Gateway</html>", { status })),
      );
      await expect(httpHost(BASE).call("app.info", {})).rejects.toMatchObject({ code: "offline" });
    }
    // An error of the server itself can have the same status.
    answers(504, { code: "tracker_timeout", message: "bd did not answer" });
    await expect(httpHost(BASE).call("app.info", {})).rejects.toMatchObject({ code: "tracker_timeout" });
  });

  it("send nothing without access", async () => {
    sessionStorage.clear();
    answers(200, {});
    await expect(httpHost(BASE).call("app.info", {})).rejects.toMatchObject({ code: "unauthorised" });
    expect(fetch).not.toHaveBeenCalled();
  });

  it("report an answer that is not JSON as an error", async () => {
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => new Response("<html>", { status: 500 })),
    );
    await expect(host.call("app.info", {})).rejects.toMatchObject({ code: "internal" });
  });
});
