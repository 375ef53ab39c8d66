// A proxy between a browser and the server that cuts WebSockets according to a rule. The browser still uses the
// server's own address. Pages and commands pass unchanged.

import { createServer, request } from "node:http";
import { connect } from "node:net";

/** The value of a rule that cuts the connection before the server's answer to the handshake. */
export const UNANSWERED = -1;

export class WebSocketProxy {
  /**
   * The number of server frames after which a socket is cut: `(kind, nth) => frames`, with the `kind` "events" or
   * "terminal", and `nth` counted from 0 for each kind. Half a frame more cuts within the next frame; Infinity
   * never cuts.
   */
  rule = () => Infinity;
  /** The number of sockets of each kind that were cut. */
  cuts = { events: 0, terminal: 0 };
  /** The number of frames that have passed on the newest socket of each kind. */
  passed = { events: 0, terminal: 0 };
  #opened = { events: 0, terminal: 0 };
  #held = new Set();
  #waiting = new Map();
  #tunnels = new Set();
  #server = createServer((incoming, answer) => forward(incoming, answer));

  static async start() {
    const proxy = new WebSocketProxy();
    proxy.#server.on("connect", (incoming, browser, head) => proxy.#tunnel(incoming.url, browser, head));
    await new Promise((ready) => proxy.#server.listen(0, "127.0.0.1", ready));
    return proxy;
  }

  /** The options of a browser context that uses this proxy for all connections, including those to this machine. */
  get options() {
    return { proxy: { server: `http://127.0.0.1:${this.#server.address().port}`, bypass: "<-loopback>" } };
  }

  /** Cuts all open sockets of a kind. */
  cut(kind) {
    for (const { of, cut } of [...this.#tunnels]) if (of() === kind) cut();
  }

  /** From now on, holds back the server's frames on sockets of a kind. */
  hold(kind) {
    this.#held.add(kind);
  }

  /** Passes on the frames that were held back. */
  release(kind) {
    this.#held.delete(kind);
    for (const resume of this.#waiting.get(kind) ?? []) resume();
    this.#waiting.delete(kind);
  }

  async end() {
    for (const { cut } of [...this.#tunnels]) cut();
    this.#server.closeAllConnections();
    await new Promise((ended) => this.#server.close(ended));
  }

  #tunnel(authority, browser, head) {
    const { hostname, port } = new URL(`http://${authority}`);
    const server = connect(Number(port), hostname);
    const both = [browser, server];
    let kind = null;
    let frames = null;
    const cut = () => {
      this.#tunnels.delete(tunnel);
      both.forEach((socket) => socket.destroy());
    };
    const tunnel = { of: () => kind, cut };
    this.#tunnels.add(tunnel);
    for (const socket of both) socket.on("error", cut).on("close", cut);
    const fromBrowser = (bytes) => {
      // The handshake comes first; it is small and arrives in one piece.
      if (kind === null) {
        kind = /^GET \/(events|terminal)\b/.exec(bytes.toString("latin1"))?.[1] ?? "other";
        if (kind in this.#opened) {
          frames = new Frames(this.rule(kind, this.#opened[kind]++), (count) => (this.passed[kind] = count));
        }
      }
      server.write(bytes);
    };
    browser.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) fromBrowser(head);
    browser.on("data", fromBrowser);
    let order = Promise.resolve();
    server.on("data", (bytes) => {
      order = order.then(async () => {
        while (this.#held.has(kind)) {
          await new Promise((go) => this.#waiting.set(kind, [...(this.#waiting.get(kind) ?? []), go]));
        }
        const passed = frames ? frames.take(bytes) : bytes;
        if (passed.length > 0 && !browser.destroyed) browser.write(passed);
        if (!frames?.full || both.some((socket) => socket.destroyed)) return;
        this.cuts[kind] += 1;
        // Data that may pass must arrive before the connection is closed.
        browser.end(cut);
      });
    });
  }
}

/** Counts the server's frames and passes on only the allowed number. */
class Frames {
  full = false;
  #left;
  #count = 0;
  #report;
  #state = "head";
  #rest = Buffer.alloc(0);

  constructor(left, report) {
    this.#left = left;
    this.#report = report;
    report(0);
  }

  /** The part of the bytes that may pass. */
  take(bytes) {
    if (this.full) return Buffer.alloc(0);
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const passed = [];
    for (let piece = this.#next(); piece !== null; piece = this.#next()) passed.push(piece);
    return Buffer.concat(passed);
  }

  /** The next complete piece that may pass; null if there is none. */
  #next() {
    if (this.full) return null;
    if (this.#state === "head") {
      const end = this.#rest.indexOf("\r\n\r\n");
      if (end < 0) return null;
      if (this.#left < 0) return this.#end(0);
      this.#state = "frames";
      return this.#cut(end + 4);
    }
    if (this.#left === 0) return this.#end(0);
    const length = frameLength(this.#rest);
    if (length === null || this.#rest.length < length) return null;
    if (this.#left < 1) return this.#end(Math.ceil(length / 2));
    this.#left -= 1;
    this.#report((this.#count += 1));
    return this.#cut(length);
  }

  #end(length) {
    this.full = true;
    return this.#cut(length);
  }

  #cut(length) {
    const piece = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return piece;
  }
}

/** The length of the frame at the start of the bytes; null while it is unknown. Server frames have no mask. */
function frameLength(bytes) {
  if (bytes.length < 2) return null;
  const length = bytes[1] & 0x7f;
  if (length < 126) return 2 + length;
  if (length === 126) return bytes.length < 4 ? null : 4 + bytes.readUInt16BE(2);
  return bytes.length < 10 ? null : 10 + Number(bytes.readBigUInt64BE(2));
}

/** Forwards an HTTP request without its `proxy-connection` header. */
function forward(incoming, answer) {
  const url = new URL(incoming.url);
  const { "proxy-connection": _, ...headers } = incoming.headers;
  const { method } = incoming;
  const options = { host: url.hostname, port: url.port, path: url.pathname + url.search, method, headers };
  const outgoing = request(options, (response) => {
    answer.writeHead(response.statusCode, response.headers);
    response.pipe(answer);
  });
  outgoing.on("error", () => answer.destroy());
  incoming.pipe(outgoing);
}
