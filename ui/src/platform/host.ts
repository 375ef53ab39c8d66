/**
 * The one door to whatever runs the sessions: a server, the desktop program, or the in-memory one of
 * development. Nothing outside this folder knows which it is.
 */
import type { Api, ApiError, ErrorCode, EventEnvelope, ProjectKey, SessionId } from "../generated/api";

export type Unsubscribe = () => void;

/** `live` events arrive; `lost` the connection broke and is being tried again; `refused` it will not come back. */
export type Connection = "connecting" | "live" | "lost" | "refused";

/**
 * What a terminal says. `screen` replaces everything drawn so far, at its size; `offset` is that of the
 * first byte, and `ack` acknowledges offsets. After `lost` they count from 0 again. `ended` and `error`
 * are the last thing said.
 */
export type TerminalEvent =
  | { type: "screen"; bytes: Uint8Array; offset: number; cols: number; rows: number }
  | { type: "bytes"; bytes: Uint8Array; offset: number }
  | { type: "size"; cols: number; rows: number }
  | { type: "ended" }
  | { type: "error"; error: CallError }
  | { type: "lost" };

export interface TerminalStream {
  subscribe(handler: (event: TerminalEvent) => void): Unsubscribe;
  input(bytes: Uint8Array): void;
  /** Nothing is sent before the first size is known. */
  resize(cols: number, rows: number): void;
  /** Everything before this offset has been drawn. */
  ack(offset: number): void;
  /** A hidden terminal is sent nothing; becoming visible starts with a fresh screen. */
  visible(visible: boolean): void;
  close(): void;
}

export interface Host {
  /** Rejects with {@link CallError} and nothing else. */
  call<K extends keyof Api>(method: K, params: Api[K]["params"], project?: ProjectKey): Promise<Api[K]["result"]>;
  /**
   * Every event after `since`, or from now on where it is null; goes on over lost connections without a
   * gap. Where a gap cannot be closed a `resync` event says so.
   */
  events(
    since: number | null,
    handler: (event: EventEnvelope) => void,
    connection?: (state: Connection) => void,
  ): Unsubscribe;
  terminal(project: ProjectKey, session: SessionId): TerminalStream;
  /** Told as the first picture is drawn, where somebody waits to show it. */
  draws?(): void;
}

/** What is wrong when it is not the engine that says no. */
export type CallCode = ErrorCode | "offline" | "unauthorised";

/** A command that failed: a code to act on, a message to read, a hint of what to do. */
export class CallError extends Error {
  readonly code: CallCode;
  readonly hint: string | undefined;

  constructor(code: CallCode, message: string, hint?: string) {
    super(message);
    this.name = "CallError";
    this.code = code;
    this.hint = hint;
  }

  static from(error: ApiError): CallError {
    return new CallError(error.code, error.message, error.hint);
  }
}

/** Whatever was thrown, as an error with a code. */
export function asCallError(thrown: unknown): CallError {
  if (thrown instanceof CallError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CallError("internal", message);
}
