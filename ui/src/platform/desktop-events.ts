/** Events in the desktop window. The channel loses none. The window acknowledges events, which limits those in
 * flight. */
import { Channel, invoke } from "@tauri-apps/api/core";
import type { EventEnvelope } from "../generated/api";
import type { Connection, Unsubscribe } from "./host";

/** The number of events per acknowledgement, well below the limit of events in flight. */
const TAKEN_AT_ONCE = 64;

export function eventsInWindow(
  since: number | null,
  handler: (event: EventEnvelope) => void,
  connection: (state: Connection) => void = () => {},
): Unsubscribe {
  const channel = new Channel<EventEnvelope>();
  let id: number | undefined;
  let taken = 0;
  let acknowledged = 0;
  let stopped = false;

  const tellTaken = () => {
    if (id === undefined || taken - acknowledged < TAKEN_AT_ONCE) return;
    acknowledged = taken;
    void invoke("events_ack", { id, count: taken });
  };
  channel.onmessage = (envelope) => {
    if (stopped) return;
    taken += 1;
    tellTaken();
    handler(envelope);
  };

  connection("connecting");
  invoke<number>("events_open", { since, channel }).then(
    (opened) => {
      id = opened;
      if (stopped) return void invoke("events_close", { id });
      connection("live");
      tellTaken();
    },
    () => connection("refused"),
  );
  return () => {
    stopped = true;
    if (id !== undefined) void invoke("events_close", { id });
  };
}
