/**
 * Events over a WebSocket. Invariants: every event is handed on once and in order; a connection that
 * comes back asks for what came after the last one handed on; where nothing was seen yet and the
 * connection was lost, what was missed is unknown and a `resync` is made up.
 */
import type { EventEnvelope } from "../generated/api";
import { Backoff } from "./backoff";
import type { Connection, Unsubscribe } from "./host";

export function eventsOver(
  address: () => URL,
  since: number | null,
  handler: (event: EventEnvelope) => void,
  connection: (state: Connection) => void = () => {},
): Unsubscribe {
  const backoff = new Backoff();
  let last = since;
  let tries = 0;
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  function open(): void {
    const again = tries++ > 0;
    const url = address();
    if (last !== null) url.searchParams.set("since", String(last));
    const current = new WebSocket(url);
    socket = current;
    current.onopen = () => {
      backoff.reset();
      connection("live");
      if (again && last === null) handler({ seq: 0, event: { type: "resync" } });
    };
    current.onmessage = (message: MessageEvent<unknown>) => {
      if (typeof message.data !== "string") return;
      const envelope = JSON.parse(message.data) as EventEnvelope;
      // A server that was started again counts from the beginning; it says resync first.
      if (envelope.event.type !== "resync" && last !== null && envelope.seq <= last) return;
      last = envelope.seq;
      handler(envelope);
    };
    current.onclose = (event) => {
      if (stopped) return;
      const refused = event.code === 1008;
      connection(refused ? "refused" : "lost");
      if (!refused) timer = setTimeout(open, backoff.next());
    };
  }

  connection("connecting");
  open();
  return () => {
    stopped = true;
    clearTimeout(timer);
    socket?.close();
  };
}
