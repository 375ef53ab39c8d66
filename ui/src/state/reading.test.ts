import { describe, expect, it } from "vitest";
import type { Message, SessionPageParams, TranscriptPage } from "../generated/api";
import { CallError } from "../platform";
import { PAGE, Reading } from "./reading.svelte";

const START = Date.parse("2026-11-16T09:00:00Z");
const said = (n: number): Message => ({
  id: `m${n}`,
  role: "assistant",
  content: `Message ${n}`,
  timestamp: new Date(START + n * 60_000).toISOString(),
});

/** A server with `count` messages that answers as `session.page` does. */
function setup(count: number) {
  const all = Array.from({ length: count }, (_, n) => said(n));
  const requests: SessionPageParams[] = [];
  let refused: CallError | null = null;
  const ask = (params: SessionPageParams): Promise<TranscriptPage> => {
    requests.push(params);
    if (refused) return Promise.reject(refused);
    const { before, at, message, limit } = params;
    const many = limit ?? 200;
    const found = message
      ? all.findIndex(({ id }) => id === message)
      : at
        ? all.findIndex(({ timestamp }) => timestamp >= at)
        : -1;
    const place = found < 0 ? null : found;
    const end = Math.min(place === null ? (before ?? all.length) : place + many / 2, all.length);
    const first = Math.max(0, end - many);
    return Promise.resolve({ first, messages: all.slice(first, end), total: all.length, place, warnings: [] });
  };
  return { all, requests, reading: new Reading("s", ask), refuse: (error: CallError | null) => (refused = error) };
}
const ids = ({ messages }: Reading) => [messages[0]?.id, messages.at(-1)?.id, messages.length];

describe("paged conversation", () => {
  it("opens at its end, and pages back to its beginning without a gap", async () => {
    const { reading, requests } = setup(450);
    await reading.open();
    expect([ids(reading), reading.ends, reading.begins]).toEqual([["m250", "m449", PAGE], true, false]);
    await reading.earlier();
    await reading.earlier();
    await reading.earlier();
    expect([ids(reading), reading.begins]).toEqual([["m0", "m449", 450], true]);
    expect([reading.messages.map(({ id }) => id).join(), requests.length]).toEqual([
      Array.from({ length: 450 }, (_, n) => `m${n}`).join(),
      3,
    ]);
  });

  it("loads the part around a requested place, and then on to the end", async () => {
    const { reading, requests } = setup(10_000);
    await reading.open();
    expect((await reading.reach({ message: "m500" }))?.id).toBe("m500");
    expect([reading.messages.length, reading.ends, reading.round]).toEqual([PAGE, false, 2]);
    await reading.later();
    expect([ids(reading), requests.length]).toEqual([["m400", "m799", 2 * PAGE], 3]);
    expect((await reading.reach({ place: 9000 }))?.id).toBe("m9000");
    expect((await reading.reach({ place: 9001 }))?.id).toBe("m9001");
    expect(requests).toHaveLength(4);
  });

  it("finds the first message at a time, loaded or not", async () => {
    const { reading, requests } = setup(1000);
    await reading.open();
    const at = (n: number) => ({ at: new Date(START + n * 60_000 - 30_000).toISOString() });
    expect((await reading.reach(at(900)))?.id).toBe("m900");
    expect(requests).toHaveLength(1);
    expect((await reading.reach(at(12)))?.id).toBe("m12");
    expect((await reading.reach(at(-5)))?.id).toBe("m0");
    await reading.open();
    expect((await reading.reach(at(5000)))?.id).toBe("m999");
  });

  it("appends new messages only at the end", async () => {
    const { all, reading } = setup(300);
    await reading.open();
    reading.upsert(said(300));
    reading.upsert({ ...said(299), content: "more of it" });
    reading.upsert({ ...said(3), content: "an old one, which is not here" });
    expect([ids(reading), reading.total, reading.messages.at(-2)?.content]).toEqual([
      ["m100", "m300", 201],
      301,
      "more of it",
    ]);
    await reading.reach({ message: "m10" });
    all.push(said(300), said(301));
    reading.upsert(said(301));
    expect(reading.messages.some(({ id }) => id === "m301")).toBe(false);
    while (!reading.ends) await reading.later();
    expect(ids(reading)[1]).toBe("m301");
  });

  it("puts a complete message in the place of its partial one", async () => {
    const { reading } = setup(3);
    await reading.open();
    reading.upsert({ ...said(3), id: "partial-1", partial: true });
    reading.upsert({ ...said(4), replaces: "partial-1" });
    expect(reading.messages.map(({ id }) => id)).toEqual(["m0", "m1", "m2", "m4"]);
  });

  it("keeps messages that arrive while a page is loading", async () => {
    const { reading } = setup(5);
    const opened = reading.open();
    reading.upsert(said(5));
    await opened;
    // The answer was older than the new message.
    reading.upsert(said(6));
    expect(ids(reading)).toEqual(["m0", "m6", 7]);
  });

  it("ignores the answer to an outdated request", async () => {
    const answers: { resolve: (page: TranscriptPage) => void; reject: (error: CallError) => void }[] = [];
    const reading = new Reading("s", () => new Promise((resolve, reject) => answers.push({ resolve, reject })));
    const opened = [reading.open(), reading.open()];
    answers[1]?.resolve({ first: 0, messages: [said(0)], total: 1, place: null, warnings: [] });
    await opened[1];
    answers[0]?.reject(new CallError("io", "the file cannot be read"));
    await opened[0];
    expect([reading.phase.state, ids(reading)]).toEqual(["ready", ["m0", "m0", 1]]);
  });

  it("reports a page that failed to load, and retries it", async () => {
    const { reading, refuse } = setup(500);
    await reading.open();
    refuse(new CallError("io", "the file cannot be read"));
    await reading.earlier();
    expect([reading.error?.message, reading.messages.length]).toEqual(["the file cannot be read", PAGE]);
    refuse(null);
    reading.again();
    await reading.earlier();
    expect([reading.error, reading.messages.length]).toEqual([null, 2 * PAGE]);
  });
});
