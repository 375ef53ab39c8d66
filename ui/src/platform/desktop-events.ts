/** Events in the desktop window. The channel loses none. The acknowledgements limit the number of events in flight. */
import { Channel, invoke } from "@tauri-apps/api/core";
import type { EventEnvelope } from "../generated/api";
import type { Connection, Unsubscribe } from "./host";

/** The number of events per acknowledgement, well below the limit of events in flight. */
const EVENTS_PER_ACK = 64;

export function eventsInWindow(
  since: number | null,
  handler: (event: EventEnvelope) => void,
  connection: (state: Connection) => void = () => {},
): Unsubscribe {
  const channel = new Channel<EventEnvelope>();
  let id: number | undefined;
  let received = 0;
  let acknowledged = 0;
  let stopped = false;

  const acknowledge = () => {
    if (id === undefined || received - acknowledged < EVENTS_PER_ACK) return;
    acknowledged = received;
    void invoke("events_ack", { id, count: received });
  };
  channel.onmessage = (envelope) => {
    if (stopped) return;
    received += 1;
    acknowledge();
    handler(envelope);
  };

  connection("connecting");
  invoke<number>("events_open", { since, channel }).then(
    (opened) => {
      id = opened;
      if (stopped) return void invoke("events_close", { id });
      connection("live");
      acknowledge();
    },
    () => connection("refused"),
  );
  return () => {
    stopped = true;
    if (id !== undefined) void invoke("events_close", { id });
  };
}
