import { describe, expect, it } from "vitest";
import type { TerminalEvent } from "./host";
import { reader } from "./http-terminal";

const frame = (offset: number, payload: string) => {
  const buffer = new ArrayBuffer(8 + payload.length);
  new DataView(buffer).setBigUint64(0, BigInt(offset), true);
  new Uint8Array(buffer, 8).set(new TextEncoder().encode(payload));
  return buffer;
};
const check = (messages: unknown[], expected: string[]) => {
  const events: string[] = [];
  const say = (event: TerminalEvent) => {
    const payload = "bytes" in event ? ` ${event.offset}:${new TextDecoder().decode(event.bytes)}` : "";
    const size = "cols" in event ? ` ${event.cols}x${event.rows}` : "";
    events.push(`${event.type}${size}${payload}${event.type === "error" ? ` ${event.error.code}` : ""}`);
  };
  messages.forEach(reader(say));
  expect(events).toEqual(expected);
};
const SCREEN = JSON.stringify({ type: "screen", cols: 80, rows: 24 });

describe("terminal messages", () => {
  it("mark frames with a whole screen, also later ones", () =>
    check(
      [SCREEN, frame(0, "S"), frame(1, "ab"), SCREEN, frame(3, "T"), frame(4, "c")],
      ["screen 80x24 0:S", "bytes 1:ab", "screen 80x24 3:T", "bytes 4:c"],
    ));
  it("carry sizes and the end", () =>
    check(
      [JSON.stringify({ type: "size", cols: 9, rows: 8 }), JSON.stringify({ type: "ended" })],
      ["size 9x8", "ended"],
    ));
  it("carry the reason why there is no terminal", () =>
    check(
      [JSON.stringify({ type: "error", error: { code: "session_not_found", message: "gone" } })],
      ["error session_not_found"],
    ));
  it("are dropped if they are truncated", () => check([new ArrayBuffer(5)], []));
});
