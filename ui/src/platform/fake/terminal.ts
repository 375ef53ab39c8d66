/** A terminal that draws a made-up claude and echoes what is typed. */
import type { TerminalEvent, TerminalStream } from "../host";

const SCREEN = [
  "\x1b[1mClaude Code\x1b[0m \x1b[90mv2.1.329\x1b[0m",
  "",
  "> Validate email and password before the store is touched.",
  "",
  "● I will put validation in front of the lookup, then level the timing.",
  "",
  "\x1b[32m●\x1b[0m \x1b[1mBash\x1b[0m(cargo test -p gatehouse-auth)",
  "  └ \x1b[90mtest result: \x1b[32mok\x1b[90m. 42 passed; 0 failed; see https://example.org/run/42\x1b[0m",
  "",
  "> ",
].join("\r\n");

export function fakeTerminal(): TerminalStream {
  const handlers = new Set<(event: TerminalEvent) => void>();
  let offset = 0;
  const send = (type: "screen" | "bytes", text: string) => {
    const bytes = new TextEncoder().encode(text);
    offset += bytes.length;
    handlers.forEach((handler) => handler({ type, bytes, offset: offset - bytes.length }));
  };
  return {
    subscribe(handler) {
      handlers.add(handler);
      queueMicrotask(() => send("screen", `\x1bc${SCREEN}`));
      return () => handlers.delete(handler);
    },
    input: (bytes) => send("bytes", new TextDecoder().decode(bytes).replaceAll("\r", "\r\n> ").replaceAll("\x7f", "\b \b")),
    resize: (cols, rows) => handlers.forEach((handler) => handler({ type: "size", cols, rows })),
    ack: () => {},
    visible: (visible) => visible && send("screen", `\x1bc${SCREEN}`),
    close: () => handlers.clear(),
  };
}
