/**
 * A terminal over a WebSocket. The server's binary frames are an offset (u64, little endian) and bytes; its text
 * frames announce sizes, errors, the end, and that the next frame is a full screen.
 */
import type { ApiError } from "../generated/api";
import { Backoff } from "./backoff";
import { CallError, type TerminalEvent, type TerminalStream, type Unsubscribe } from "./host";

/** The maximum size of an input message, in bytes. Longer input, such as pasted text, is sent in pieces, since the
 * server limits the message size. */
const MAX_MESSAGE = 64 * 1024;

type ServerMessage =
  | { type: "screen"; cols: number; rows: number }
  | { type: "size"; cols: number; rows: number }
  | { type: "ended" }
  | { type: "error"; error: ApiError };

/** Converts the messages of one connection to events, in order. */
export function reader(tell: (event: TerminalEvent) => void): (data: unknown) => void {
  let screen: { cols: number; rows: number } | null = null;
  return (data) => {
    if (data instanceof ArrayBuffer) {
      const frame = decodeFrame(data);
      if (!frame) return;
      tell(screen ? { type: "screen", ...screen, ...frame } : { type: "bytes", ...frame });
      screen = null;
    } else if (typeof data === "string") {
      const received = JSON.parse(data) as ServerMessage;
      if (received.type === "screen") screen = { cols: received.cols, rows: received.rows };
      else tell(received.type === "error" ? { type: "error", error: CallError.from(received.error) } : received);
    }
  };
}

/** `connect` opens a socket, or rejects with the reason; `broken` is called when a socket is lost. */
export function terminalOver(
  connect: (query: Record<string, string>) => Promise<WebSocket>,
  broken: () => void,
): TerminalStream {
  const handlers = new Set<(event: TerminalEvent) => void>();
  const backoff = new Backoff();
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  let size: { cols: number; rows: number } | undefined;
  let shown = true;

  const tell = (event: TerminalEvent) => {
    if (event.type === "ended" || event.type === "error") over = true;
    handlers.forEach((handler) => handler(event));
  };
  const say = (message: object) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  function again(): void {
    tell({ type: "lost" });
    timer = setTimeout(() => void open(), backoff.next());
  }

  async function open(): Promise<void> {
    const read = reader(tell);
    let current: WebSocket;
    try {
      current = await connect({});
    } catch {
      if (!over) again();
      return;
    }
    if (over) return current.close();
    current.binaryType = "arraybuffer";
    socket = current;
    current.onopen = () => {
      if (!shown) say({ type: "visible", visible: false });
      if (size) say({ type: "resize", ...size });
    };
    current.onmessage = (message: MessageEvent<unknown>) => {
      backoff.reset();
      read(message.data);
    };
    current.onclose = () => {
      if (over) return;
      broken();
      again();
    };
  }

  void open();
  return {
    subscribe(handler): Unsubscribe {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    input(bytes) {
      if (socket?.readyState !== WebSocket.OPEN) return;
      for (let at = 0; at < bytes.length; at += MAX_MESSAGE) socket.send(bytes.slice(at, at + MAX_MESSAGE));
    },
    resize(cols, rows) {
      size = { cols, rows };
      say({ type: "resize", cols, rows });
    },
    ack: (offset) => say({ type: "ack", offset }),
    visible(visible) {
      shown = visible;
      say({ type: "visible", visible });
    },
    close() {
      over = true;
      clearTimeout(timer);
      socket?.close();
      handlers.clear();
    },
  };
}

/** Decodes a binary frame; null if it is too short. */
function decodeFrame(buffer: ArrayBuffer): { offset: number; bytes: Uint8Array } | null {
  if (buffer.byteLength < 8) return null;
  const offset = Number(new DataView(buffer).getBigUint64(0, true));
  return { offset, bytes: new Uint8Array(buffer, 8) };
}
