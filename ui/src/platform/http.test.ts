import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EventEnvelope } from "../generated/api";
import { httpHost } from "./http";
import { eventsOver } from "./http-events";
import type { Connection } from "./host";

/** A WebSocket that the test opens, feeds and cuts. */
class Socket {
  static all: Socket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  closed = false;

  constructor(readonly url: URL) {
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

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("WebSocket", Socket);
    Socket.all = [];
    heard = [];
    states = [];
    stop = eventsOver(
      () => new URL("ws://127.0.0.1/events"),
      null,
      (e) => heard.push(e.event.type === "resync" ? -1 : e.seq),
      (s) => states.push(s),
    );
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("a connection that comes back asks for what came after the last event", () => {
    last().onopen?.();
    last().tell(4);
    last().tell(5);
    last().cut();
    vi.advanceTimersByTime(300);
    expect(Socket.all).toHaveLength(2);
    expect(last().url.searchParams.get("since")).toBe("5");
    last().onopen?.();
    last().tell(5);
    last().tell(6);
    expect(heard).toEqual([4, 5, 6]);
    expect(states).toEqual(["connecting", "live", "lost", "live"]);
  });

  it("where nothing was heard yet a new connection means loading again", () => {
    last().onopen?.();
    last().cut();
    vi.advanceTimersByTime(300);
    last().onopen?.();
    expect(heard).toEqual([-1]);
  });

  it("so it does where the first connection never came about: what was loaded since may be old", () => {
    last().cut();
    vi.advanceTimersByTime(300);
    last().onopen?.();
    expect(heard).toEqual([-1]);
  });

  it("a server that was started again says resync and counts from the beginning", () => {
    last().onopen?.();
    last().tell(90);
    last().cut();
    vi.advanceTimersByTime(300);
    last().onopen?.();
    last().tell(1, "resync");
    last().tell(2);
    expect(heard).toEqual([90, -1, 2]);
  });

  it("tries less and less often, and not at all once it was refused or stopped", () => {
    for (let i = 0; i < 8; i++) {
      last().cut();
      vi.advanceTimersByTime(8000);
    }
    const tries = Socket.all.length;
    expect(tries).toBeLessThanOrEqual(9);
    last().cut(1008);
    vi.advanceTimersByTime(60_000);
    expect(Socket.all).toHaveLength(tries);
    expect(states.at(-1)).toBe("refused");
  });
});

describe("commands over HTTP", () => {
  afterEach(() => vi.unstubAllGlobals());
  const host = httpHost(new URL("http://127.0.0.1:1/"));
  const answers = (status: number, body: unknown) =>
    vi.stubGlobal("fetch", vi.fn(async () => new Response(JSON.stringify(body), { status })));

  it("sends the project beside the parameters", async () => {
    answers(200, { beads: [], warnings: [] });
    await host.call("bead.list", {}, "p1");
    const [url, init] = vi.mocked(fetch).mock.calls[0] ?? [];
    expect(String(url)).toBe("http://127.0.0.1:1/rpc/bead.list");
    expect(JSON.parse(String(init?.body))).toEqual({ project: "p1", params: {} });
  });

  it("an error keeps its code and hint", async () => {
    answers(409, { code: "bead_claimed", message: "BC-1 is Mara's.", hint: "Ask her." });
    await expect(host.call("bead.claim", { id: "BC-1" })).rejects.toMatchObject({ code: "bead_claimed", hint: "Ask her." });
  });

  it("no access and no server have codes of their own", async () => {
    answers(401, {});
    await expect(host.call("app.info", {})).rejects.toMatchObject({ code: "unauthorised" });
    vi.stubGlobal("fetch", vi.fn(async () => Promise.reject(new TypeError("failed to fetch"))));
    await expect(host.call("app.info", {})).rejects.toMatchObject({ code: "offline" });
  });

  it("an answer that is no JSON is an error and not a crash", async () => {
    vi.stubGlobal("fetch", vi.fn(async () => new Response("<html>", { status: 502 })));
    await expect(host.call("app.info", {})).rejects.toMatchObject({ code: "internal" });
  });
});
