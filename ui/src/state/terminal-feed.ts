/**
 * Connects a terminal's stream to its emulator: order, acknowledgements, and which of the emulator's answers
 * reach Claude.
 * Invariants: an offset is acknowledged after everything before it was drawn, and only to its own connection. The
 * emulator's answers are never sent while it draws a full screen, since they answer old queries, perhaps of
 * another terminal.
 */
import type { CallError, TerminalEvent, TerminalStream } from "../platform";

/** The terminal emulator. `done` is called in order, after the data was parsed. */
export interface Emulator {
  write(data: Uint8Array | "", done: () => void): void;
  reset(): void;
  resize(cols: number, rows: number): void;
}

/** `live` starts when a full screen has been drawn. */
export type FeedState =
  | { state: "connecting" }
  | { state: "live" }
  | { state: "lost" }
  | { state: "ended" }
  | { state: "failed"; error: CallError };

/** While data is pending, drawn data is acknowledged once it has this many bytes. */
const ACK_BYTES = 32 * 1024;

export class TerminalFeed {
  readonly #stream: Pick<TerminalStream, "ack" | "input">;
  readonly #emulator: Emulator;
  readonly #onState: (state: FeedState) => void;
  /** The connection number; data of an earlier connection is not acknowledged to this one. */
  #connection = 0;
  #pending = 0;
  #drawn = 0;
  #acked = 0;
  #replaying = false;
  #stopped = false;
  #state: FeedState | undefined;

  constructor(
    stream: Pick<TerminalStream, "ack" | "input">,
    emulator: Emulator,
    onState: (state: FeedState) => void = () => {},
  ) {
    this.#stream = stream;
    this.#emulator = emulator;
    this.#onState = onState;
  }

  /** Whether a full screen is being drawn. */
  get replaying(): boolean {
    return this.#replaying;
  }

  handle(event: TerminalEvent): void {
    switch (event.type) {
      case "screen": {
        const before = this.#state;
        this.#write("", () => {
          this.#replaying = true;
          this.#emulator.reset();
          this.#emulator.resize(event.cols, event.rows);
        });
        this.#draw(event.bytes, event.offset, () => {
          this.#replaying = false;
          // If the state changed in the meantime, the newer one stays.
          if (this.#state === before) this.#setState({ state: "live" });
        });
        return;
      }
      case "bytes":
        this.#draw(event.bytes, event.offset);
        return;
      case "size":
        this.#write("", () => this.#emulator.resize(event.cols, event.rows));
        return;
      case "lost":
        this.#connection++;
        this.#pending = this.#drawn = this.#acked = 0;
        this.#setState({ state: "lost" });
        return;
      case "ended":
        this.#setState({ state: "ended" });
        return;
      case "error":
        this.#setState({ state: "failed", error: event.error });
        return;
    }
  }

  /** Sends the emulator's output to Claude: input typed by the user, or an answer to a query. */
  send(bytes: Uint8Array): void {
    if (!this.#replaying && !this.#stopped && bytes.length > 0) this.#stream.input(bytes);
  }

  /** Stops drawing, sending and acknowledging. */
  stop(): void {
    this.#stopped = true;
  }

  #setState(state: FeedState): void {
    this.#state = state;
    this.#onState(state);
  }

  #write(data: Uint8Array | "", done: () => void): void {
    if (this.#stopped) return;
    this.#emulator.write(data, () => {
      if (!this.#stopped) done();
    });
  }

  #draw(bytes: Uint8Array, offset: number, done: () => void = () => {}): void {
    const connection = this.#connection;
    this.#pending++;
    this.#write(bytes, () => {
      done();
      if (connection !== this.#connection) return;
      this.#pending--;
      this.#drawn = offset + bytes.length;
      if (this.#drawn > this.#acked && (this.#pending === 0 || this.#drawn - this.#acked >= ACK_BYTES)) {
        this.#acked = this.#drawn;
        this.#stream.ack(this.#drawn);
      }
    });
  }
}
