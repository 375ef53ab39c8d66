import { Terminal } from "@xterm/xterm";
import { beforeEach, describe, expect, it } from "vitest";
import { TerminalFeed, type Emulator, type FeedState } from "./terminal-feed";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => new TextDecoder().decode(data);
const SIZE = { cols: 80, rows: 24 };

/** An emulator whose writes complete when the test releases them. Records the order. */
class Slow implements Emulator {
  readonly log: string[] = [];
  readonly #waiting: { data: Uint8Array | ""; done: () => void }[] = [];

  write(data: Uint8Array | "", done: () => void): void {
    this.#waiting.push({ data, done });
  }
  reset(): void {
    this.log.push("reset");
  }
  resize(cols: number, rows: number): void {
    this.log.push(`${cols}x${rows}`);
  }
  draw(pieces = Infinity): void {
    for (let i = 0; i < pieces && this.#waiting.length > 0; i++) {
      const { data, done } = this.#waiting.shift() ?? { data: "", done: () => {} };
      if (data !== "") this.log.push(text(data));
      done();
    }
  }
}

let slow: Slow;
let acks: number[];
let sent: string[];
let states: FeedState["state"][];
let feed: TerminalFeed;
beforeEach(() => {
  [slow, acks, sent, states] = [new Slow(), [], [], []];
  const stream = {
    ack: (offset: number) => void acks.push(offset),
    input: (data: Uint8Array) => void sent.push(text(data)),
  };
  feed = new TerminalFeed(stream, slow, ({ state }) => states.push(state));
});

describe("terminal feed", () => {
  it("draws in order, and starts a screen with a cleared terminal of its size", () => {
    feed.handle({ type: "bytes", bytes: bytes("old"), offset: 0 });
    feed.handle({ type: "screen", bytes: bytes("SCREEN"), offset: 3, ...SIZE });
    feed.handle({ type: "size", cols: 100, rows: 30 });
    feed.handle({ type: "bytes", bytes: bytes("new"), offset: 9 });
    slow.draw();
    expect(slow.log).toEqual(["old", "reset", "80x24", "SCREEN", "100x30", "new"]);
  });

  it("acknowledges once everything is drawn", () => {
    feed.handle({ type: "screen", bytes: bytes("12345"), offset: 0, ...SIZE });
    feed.handle({ type: "bytes", bytes: bytes("678"), offset: 5 });
    slow.draw(2);
    expect(acks).toEqual([]);
    slow.draw();
    expect(acks).toEqual([8]);
  });

  it("acknowledges in between during heavy output", () => {
    const many = new Uint8Array(20 * 1024);
    for (let i = 0; i < 5; i++) feed.handle({ type: "bytes", bytes: many, offset: i * many.length });
    slow.draw();
    expect(acks).toEqual([2, 4, 5].map((n) => n * many.length));
  });

  it("does not acknowledge output of a lost connection on the next one", () => {
    feed.handle({ type: "bytes", bytes: bytes("a long line"), offset: 5000 });
    feed.handle({ type: "lost" });
    feed.handle({ type: "screen", bytes: bytes("123"), offset: 0, ...SIZE });
    slow.draw();
    expect(acks).toEqual([3]);
    expect(states).toEqual(["lost", "live"]);
  });

  it("is live once a whole screen was drawn, unless it broke or ended meanwhile", () => {
    feed.handle({ type: "screen", bytes: bytes("123"), offset: 0, ...SIZE });
    expect(states).toEqual([]);
    slow.draw();
    expect(states).toEqual(["live"]);
    feed.handle({ type: "screen", bytes: bytes("123"), offset: 3, ...SIZE });
    feed.handle({ type: "ended" });
    slow.draw();
    expect(states).toEqual(["live", "ended"]);
  });

  it("neither draws nor answers after a stop", () => {
    feed.handle({ type: "bytes", bytes: bytes("x"), offset: 0 });
    feed.stop();
    slow.draw();
    feed.send(bytes("typed"));
    expect([acks, sent]).toEqual([[], []]);
  });
});

describe("replies of the emulator", () => {
  const ASK = "\x1b[c\x1b[6n\x1b[?1004h\x1b[>c\x1b]10;?\x07\x1b[18t";

  /** A real emulator; `sent` collects the data that the feed passes on. */
  function real(): { handle: TerminalFeed["handle"]; terminal: Terminal; drawn: () => Promise<void> } {
    const terminal = new Terminal({ allowProposedApi: true, ...SIZE });
    const stream = { ack: () => {}, input: (data: Uint8Array) => void sent.push(text(data)) };
    const own = new TerminalFeed(stream, {
      write: (data, done) => terminal.write(data, done),
      reset: () => terminal.reset(),
      resize: (cols, rows) => terminal.resize(cols, rows),
    });
    terminal.onData((data) => own.send(bytes(data)));
    return {
      handle: (event) => own.handle(event),
      terminal,
      drawn: () => new Promise((done) => terminal.write("", done)),
    };
  }

  it("to a whole screen are never sent", async () => {
    const { handle, drawn } = real();
    handle({ type: "screen", bytes: bytes(`${ASK}hello${ASK}`), offset: 0, ...SIZE });
    await drawn();
    expect(sent).toEqual([]);
  });

  it("to live output are sent, also right after a screen", async () => {
    const { handle, drawn } = real();
    handle({ type: "screen", bytes: bytes(ASK), offset: 0, ...SIZE });
    handle({ type: "bytes", bytes: bytes("\x1b[6n"), offset: ASK.length });
    await drawn();
    expect(sent).toEqual(["\x1b[1;1R"]);
  });

  it("do not hold back typed keys once the screen is drawn", async () => {
    const { handle, terminal, drawn } = real();
    handle({ type: "screen", bytes: bytes(ASK), offset: 0, ...SIZE });
    await drawn();
    terminal.input("y");
    expect(sent).toEqual(["y"]);
  });

  it("to output before the screen are not delayed by it", async () => {
    const { handle, drawn } = real();
    handle({ type: "screen", bytes: bytes(""), offset: 0, ...SIZE });
    handle({ type: "bytes", bytes: bytes("\x1b[5n"), offset: 0 });
    handle({ type: "screen", bytes: bytes(ASK), offset: 4, ...SIZE });
    await drawn();
    expect(sent).toEqual(["\x1b[0n"]);
  });
});
