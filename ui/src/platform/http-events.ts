/**
 * Events over a WebSocket. Invariants: every event is delivered once and in order; a new connection requests the
 * events after the last delivered one; a reconnect before the first event generates a `resync`.
 */
import type { EventEnvelope } from "../generated/api";
import { Backoff } from "./backoff";
import { asCallError, type Connection, type Unsubscribe } from "./host";

/** `connect` opens a socket, or rejects with the reason; `broken` is called when a socket is lost. */
export function eventsOver(
  connect: (query: Record<string, string>) => Promise<WebSocket>,
  broken: () => void,
  since: number | null,
  handler: (event: EventEnvelope) => void,
  connection: (state: Connection) => void = () => {},
): Unsubscribe {
  const backoff = new Backoff();
  let last = since;
  let tries = 0;
  let wasLive = false;
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  function again(state: Connection): void {
    connection(state);
    timer = setTimeout(() => void open(), backoff.next());
  }

  async function open(): Promise<void> {
    const isFirst = tries++ === 0;
    let current: WebSocket;
    try {
      current = await connect(last === null ? {} : { since: String(last) });
    } catch (thrown) {
      if (stopped) return;
      // Another server may listen on the address for now, so a tab that had access keeps trying.
      const refused = asCallError(thrown).code === "unauthorised";
      if (refused && !wasLive) return connection("refused");
      return again(refused ? "refused" : "lost");
    }
    if (stopped) return current.close();
    socket = current;
    current.onopen = () => {
      backoff.reset();
      wasLive = true;
      connection("live");
      if (!isFirst && last === null) handler({ seq: 0, event: { type: "resync" } });
    };
    current.onmessage = (message: MessageEvent<unknown>) => {
      if (typeof message.data !== "string") return;
      const envelope = JSON.parse(message.data) as EventEnvelope;
      // A restarted server sends `resync` first, and its numbers do not continue those of the previous run.
      if (envelope.event.type !== "resync" && last !== null && envelope.seq <= last) return;
      last = envelope.seq;
      handler(envelope);
    };
    current.onclose = (event) => {
      if (stopped) return;
      broken();
      if (event.code === 1008) connection("revoked");
      else again("lost");
    };
  }

  connection("connecting");
  void open();
  return () => {
    stopped = true;
    clearTimeout(timer);
    socket?.close();
  };
}
