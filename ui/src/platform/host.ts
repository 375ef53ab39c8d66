/**
 * The only interface to the engine: a server, the desktop program, or the in-memory host for development. Code outside
 * this folder calls all three in the same way.
 */
import type { Api, ApiError, ErrorCode, EventEnvelope, ProjectKey, SessionId } from "../generated/api";
import { inWindow } from "../words/errors";
import type { Notifier } from "./notifier";

export type Unsubscribe = () => void;

/** `live`: connected; `lost`: reconnecting; `refused`: no access; `revoked`: the person's access was revoked. */
export type Connection = "connecting" | "live" | "lost" | "refused" | "revoked";

/**
 * A terminal event. `screen` replaces everything drawn so far, and has the terminal's size. `offset` is that of
 * the event's first byte; `ack` acknowledges offsets. After `lost`, offsets start at 0 again. `ended` and `error`
 * are the final events.
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
  /** Sets the size. The server sends nothing before the first call. */
  resize(cols: number, rows: number): void;
  /** Acknowledges that everything before this offset was drawn. */
  ack(offset: number): void;
  /** Shows or hides the terminal. A hidden one receives nothing; when shown again, it starts with a full screen. */
  visible(visible: boolean): void;
  close(): void;
}

/** Calls a command of one project. */
export type Call = <K extends keyof Api>(method: K, params: Api[K]["params"]) => Promise<Api[K]["result"]>;

export interface Host {
  /** Rejects only with {@link CallError}. */
  call<K extends keyof Api>(method: K, params: Api[K]["params"], project?: ProjectKey): Promise<Api[K]["result"]>;
  /**
   * Delivers every event after `since`, or from now on if it is null, without gaps across lost connections.
   * If a gap cannot be closed, it delivers a `resync` event.
   */
  events(
    since: number | null,
    handler: (event: EventEnvelope) => void,
    connection?: (state: Connection) => void,
  ): Unsubscribe;
  terminal(project: ProjectKey, session: SessionId): TerminalStream;
  /** Call when the first frame is drawn; the desktop window stays hidden until then. */
  draws?(): void;
  /** Desktop notifications, if they are available. */
  notifier?: Notifier;
}

/** The engine's error codes, and two codes for a request that did not reach the engine. */
export type CallCode = ErrorCode | "offline" | "unauthorised";

/** A failed command: a code to act on, a message and a hint. */
export class CallError extends Error {
  readonly code: CallCode;
  readonly hint: string | undefined;

  constructor(code: CallCode, message: string, hint?: string) {
    super(message);
    this.name = "CallError";
    this.code = code;
    this.hint = hint;
  }

  /** Converts an engine error to UI text. */
  static from(error: ApiError): CallError {
    const { message, hint } = inWindow(error);
    return new CallError(error.code, message, hint);
  }
}

export function isApiError(value: unknown): value is ApiError {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}

/** Converts any thrown value to an error with a code. */
export function asCallError(thrown: unknown): CallError {
  if (thrown instanceof CallError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CallError("internal", message);
}
