import { beforeEach, expect, test, vi } from "vitest";
import type { EventEnvelope } from "../generated/api";
import { desktopHost, saveInWindow } from "./desktop";
import { CallError, type TerminalEvent } from "./host";

type Call = { command: string; args: unknown; options: unknown };
const calls: Call[] = [];
const channels: { onmessage: (data: unknown) => void }[] = [];
let answer: (call: Call) => unknown;

vi.mock("@tauri-apps/api/core", () => ({
  Channel: class {
    onmessage: (data: unknown) => void;
    constructor(onmessage: (data: unknown) => void = () => {}) {
      this.onmessage = onmessage;
      channels.push(this);
    }
  },
  invoke: async (command: string, args: unknown, options: unknown) => {
    const call = { command, args, options };
    calls.push(call);
    return answer(call);
  },
}));

beforeEach(() => {
  calls.length = 0;
  channels.length = 0;
  answer = ({ command }) => (command.endsWith("_open") ? 7 : null);
});

const settled = () => new Promise((resolve) => setTimeout(resolve));
const said = (command: string) => calls.filter((call) => call.command === command);

function frame(offset: number, text: string): ArrayBuffer {
  const bytes = new Uint8Array(8 + text.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(offset), true);
  bytes.set(new TextEncoder().encode(text), 8);
  return bytes.buffer;
}

test("sends a command through rpc, and maps its error to a CallError", async () => {
  answer = () => ({ projects: [] });
  expect(await desktopHost().call("app.projects", {})).toEqual({ projects: [] });
  expect(calls[0]).toMatchObject({ command: "rpc", args: { method: "app.projects", project: null, params: {} } });

  answer = () => Promise.reject({ code: "no_beads", message: "no beads here", hint: "make some" });
  const error = await desktopHost()
    .call("bead.ready", {}, "p1")
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CallError);
  expect(error).toMatchObject({
    code: "no_beads",
    message: "No beads here.",
    hint: "Choose Set up project… to create them.",
  });

  answer = () => Promise.reject("invalid args");
  await expect(desktopHost().call("bead.ready", {})).rejects.toMatchObject({ code: "internal" });
});

test("reports the first paint to the window, and ignores a failure of the report", async () => {
  desktopHost().draws?.();
  expect(said("page_draws")).toHaveLength(1);
  answer = () => Promise.reject("no such command");
  desktopHost().draws?.();
  await settled();
});

test("saves a document through the window, and maps a refusal to a CallError", async () => {
  answer = () => "/home/me/Downloads/a story.md";
  expect(await saveInWindow("a story.md", "once")).toBe("/home/me/Downloads/a story.md");
  expect(calls[0]).toMatchObject({ command: "save_file", args: { name: "a story.md", text: "once" } });

  answer = () => Promise.reject({ code: "disk_full", message: "the disk is full" });
  await expect(saveInWindow("a.md", "")).rejects.toMatchObject({ code: "disk_full" });
});

test("delivers events in order, and acknowledges their number", async () => {
  const seen: number[] = [];
  const states: string[] = [];
  const stop = desktopHost().events(
    3,
    (event) => seen.push(event.seq),
    (state) => states.push(state),
  );
  await settled();
  for (let seq = 4; seq < 4 + 130; seq++) {
    channels[0]?.onmessage({ seq, event: { type: "beads_changed" } } satisfies EventEnvelope);
  }
  expect(seen).toEqual(Array.from({ length: 130 }, (_, n) => n + 4));
  expect(said("events_ack").map((call) => call.args)).toEqual([
    { id: 7, count: 64 },
    { id: 7, count: 128 },
  ]);
  stop();
  expect(said("events_close")).toHaveLength(1);
  expect(states).toEqual(["connecting", "live"]);
});

test("sends typed text in order, batched while an earlier call is running", async () => {
  let release = () => {};
  answer = ({ command }) => {
    if (command !== "terminal_input") return 7;
    return new Promise<void>((resolve) => (release = resolve));
  };
  const terminal = desktopHost().terminal("p1", "s1");
  terminal.resize(80, 24);
  await settled();
  for (const key of ["a", "b", "c"]) {
    terminal.input(new TextEncoder().encode(key));
    await settled();
  }
  terminal.resize(90, 30);
  release();
  await settled();
  release();
  await settled();
  const typed = said("terminal_input").map((call) => new TextDecoder().decode(call.args as Uint8Array));
  expect(typed).toEqual(["a", "bc"]);
  expect(said("terminal_input")[0]?.options).toEqual({ headers: { terminal: "7" } });
  const sizes = said("terminal_say").map((call) => (call.args as { message: unknown }).message);
  expect(sizes).toEqual([
    { type: "resize", cols: 80, rows: 24 },
    { type: "resize", cols: 90, rows: 30 },
  ]);
});

test("acknowledges screen and output with the newest offset, and reopens a lost terminal", async () => {
  vi.useFakeTimers();
  const terminal = desktopHost().terminal("p1", "s1");
  const events: TerminalEvent[] = [];
  terminal.subscribe((event) => events.push(event));
  terminal.resize(80, 24);
  channels[0]?.onmessage('{"type":"screen","cols":80,"rows":24}');
  channels[0]?.onmessage(frame(0, "hello"));
  channels[0]?.onmessage(frame(5, "!"));
  expect(events.map((event) => event.type)).toEqual(["screen", "bytes"]);
  terminal.ack(5);
  terminal.ack(6);
  await vi.advanceTimersByTimeAsync(0);
  const acks = () =>
    said("terminal_say").flatMap(({ args }) => {
      const { message } = args as { message: { type: string; offset?: number } };
      return message.type === "ack" ? [message.offset] : [];
    });
  expect(acks().at(-1)).toBe(6);

  channels[0]?.onmessage(null);
  expect(events.at(-1)).toEqual({ type: "lost" });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(said("terminal_close")).toHaveLength(1);
  expect(said("terminal_open")).toHaveLength(2);

  channels[1]?.onmessage('{"type":"ended"}');
  channels[1]?.onmessage(null);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(events.at(-1)).toEqual({ type: "ended" });
  expect(said("terminal_open")).toHaveLength(2);
  vi.useRealTimers();
});
