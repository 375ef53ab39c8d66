/**
 * A terminal over a WebSocket. Frames from the server are an offset (u64, little endian) and bytes; the
 * first one after each connect is a fresh screen. Text frames carry sizes and the end.
 */
import { Backoff } from "./backoff";
import type { TerminalEvent, TerminalStream, Unsubscribe } from "./host";

type FromServer = { type: "size"; cols: number; rows: number } | { type: "ended" };

export function terminalOver(address: () => URL): TerminalStream {
  const handlers = new Set<(event: TerminalEvent) => void>();
  const backoff = new Backoff();
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  let size: { cols: number; rows: number } | undefined;
  let shown = true;

  const tell = (event: TerminalEvent) => handlers.forEach((handler) => handler(event));
  const say = (message: object) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  function open(): void {
    let fresh = true;
    const current = new WebSocket(address());
    current.binaryType = "arraybuffer";
    socket = current;
    current.onopen = () => {
      backoff.reset();
      if (size) say({ type: "resize", ...size });
      if (!shown) say({ type: "visible", visible: false });
    };
    current.onmessage = (message: MessageEvent<unknown>) => {
      if (message.data instanceof ArrayBuffer) {
        const frame = decodeFrame(message.data);
        if (!frame) return;
        tell({ type: fresh ? "screen" : "bytes", ...frame });
        fresh = false;
      } else if (typeof message.data === "string") {
        const told = JSON.parse(message.data) as FromServer;
        if (told.type === "ended") over = true;
        tell(told);
      }
    };
    current.onclose = () => {
      if (over) return;
      tell({ type: "lost" });
      timer = setTimeout(open, backoff.next());
    };
  }

  open();
  return {
    subscribe(handler): Unsubscribe {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    input(bytes) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(new Uint8Array(bytes));
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

/** The offset before a frame's bytes; a frame shorter than its offset is dropped. */
export function decodeFrame(buffer: ArrayBuffer): { offset: number; bytes: Uint8Array } | null {
  if (buffer.byteLength < 8) return null;
  const offset = Number(new DataView(buffer).getBigUint64(0, true));
  return { offset, bytes: new Uint8Array(buffer, 8) };
}
