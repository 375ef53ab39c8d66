/**
 * A terminal in the desktop window. Messages arrive through a channel, ending with `null`. Calls can overtake
 * each other, so input is sent one call at a time; input typed during a call is sent together in the next one.
 */
import { Channel, invoke } from "@tauri-apps/api/core";
import type { ProjectKey, SessionId } from "../generated/api";
import { Backoff } from "./backoff";
import { reader } from "./http-terminal";
import type { TerminalEvent, TerminalStream, Unsubscribe } from "./host";

type Message = { type: "resize"; cols: number; rows: number } | { type: "visible"; visible: boolean };

export function terminalInWindow(project: ProjectKey, session: SessionId): TerminalStream {
  const handlers = new Set<(event: TerminalEvent) => void>();
  const backoff = new Backoff();
  let connection: Connection | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  let size: { cols: number; rows: number } | undefined;
  let shown = true;

  const tell = (event: TerminalEvent) => {
    if (event.type === "ended" || event.type === "error") over = true;
    handlers.forEach((handler) => handler(event));
  };

  function open(): void {
    const read = reader(tell);
    const current = new Connection(project, session, (data) => {
      if (current !== connection) return;
      if (data === null) return lost();
      backoff.reset();
      read(data);
    });
    connection = current;
    current.opened.catch(lost);
    if (size) current.say({ type: "resize", ...size });
    if (!shown) current.say({ type: "visible", visible: false });
  }

  function lost(): void {
    connection?.close();
    connection = undefined;
    if (over) return;
    tell({ type: "lost" });
    timer = setTimeout(open, backoff.next());
  }

  open();
  return {
    subscribe(handler): Unsubscribe {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    input: (bytes) => connection?.input(bytes),
    resize(cols, rows) {
      size = { cols, rows };
      connection?.say({ type: "resize", cols, rows });
    },
    ack: (offset) => connection?.ack(offset),
    visible(visible) {
      shown = visible;
      connection?.say({ type: "visible", visible });
    },
    close() {
      over = true;
      clearTimeout(timer);
      connection?.close();
      connection = undefined;
      handlers.clear();
    },
  };
}

class Connection {
  readonly opened: Promise<number>;
  #outbox: (Uint8Array | Message)[] = [];
  #sending = false;
  #acking = false;
  #drawn = 0;
  #closed = false;

  constructor(project: ProjectKey, session: SessionId, receive: (data: ArrayBuffer | string | null) => void) {
    const channel = new Channel<ArrayBuffer | string | null>(receive);
    this.opened = invoke<number>("terminal_open", { project, session, channel });
  }

  input(bytes: Uint8Array): void {
    const last = this.#outbox.at(-1);
    if (last instanceof Uint8Array) {
      const joined = new Uint8Array(last.length + bytes.length);
      joined.set(last);
      joined.set(bytes, last.length);
      this.#outbox[this.#outbox.length - 1] = joined;
    } else {
      this.#outbox.push(new Uint8Array(bytes));
    }
    void this.#send();
  }

  say(message: Message): void {
    this.#outbox.push(message);
    void this.#send();
  }

  /** Acknowledges the latest offset, with one call at a time. */
  ack(offset: number): void {
    if (offset > this.#drawn) this.#drawn = offset;
    if (!this.#acking) void this.#acknowledge();
  }

  close(): void {
    this.#closed = true;
    this.opened.then(
      (id) => invoke("terminal_close", { id }),
      () => {},
    );
  }

  async #acknowledge(): Promise<void> {
    this.#acking = true;
    try {
      const id = await this.opened;
      for (let acked = -1; acked < this.#drawn && !this.#closed;) {
        acked = this.#drawn;
        await invoke("terminal_say", { id, message: { type: "ack", offset: acked } });
      }
    } catch {
      // The terminal was refused; opening it reports the reason.
    } finally {
      this.#acking = false;
    }
  }

  async #send(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    try {
      const id = await this.opened;
      for (let next = this.#outbox.shift(); next !== undefined && !this.#closed; next = this.#outbox.shift()) {
        if (next instanceof Uint8Array) await invoke("terminal_input", next, { headers: { terminal: String(id) } });
        else await invoke("terminal_say", { id, message: next });
      }
    } catch {
      // The terminal was refused; opening it reports the reason.
    } finally {
      this.#sending = false;
    }
  }
}
