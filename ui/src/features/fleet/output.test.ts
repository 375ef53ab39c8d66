import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_LENGTH, MergeOutput, POLL_MS } from "./output.svelte";

/** A merge with the output `log`. */
function setup() {
  const merge = { log: "", live: true, reads: 0, part: 1000 };
  const output = new MergeOutput("merge-1", async ({ from = 0 }) => {
    merge.reads++;
    const text = merge.log.slice(from, from + merge.part);
    const next = Math.min(from, merge.log.length) + text.length;
    return { text, next, more: next < merge.log.length, live: merge.live };
  });
  return { merge, output };
}
const settle = () => vi.advanceTimersByTimeAsync(0);

describe("merge output", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("is read while the merge runs, and not afterwards", async () => {
    const { merge, output } = setup();
    merge.log = "prepare\n";
    void output.load();
    await settle();
    expect([output.text, output.live]).toEqual(["prepare\n", true]);
    merge.log += "check\n";
    merge.live = false;
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect([output.text, output.live]).toEqual(["prepare\ncheck\n", false]);
    await vi.advanceTimersByTimeAsync(POLL_MS * 10);
    expect(merge.reads).toBe(2);
  });

  it("is read in parts if it is long", async () => {
    const { merge, output } = setup();
    [merge.log, merge.live, merge.part] = ["0123456789", false, 4];
    void output.load();
    await settle();
    expect([output.text, merge.reads]).toEqual(["0123456789", 3]);
  });

  it("restarts with the merge", async () => {
    const { merge, output } = setup();
    merge.log = "the first time\n";
    void output.load();
    await settle();
    merge.log = "again\n";
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(output.text).toBe("again\n");
  });

  it("keeps the end of an output that is too long", async () => {
    const { merge, output } = setup();
    [merge.log, merge.live, merge.part] = ["line of output\n".repeat(40_000), false, 100_000];
    void output.load();
    await settle();
    expect(output.cut).toBe(true);
    expect(output.text.length).toBeLessThanOrEqual(MAX_LENGTH);
    expect(output.text.startsWith("line of output\n") && output.text.endsWith("line of output\n")).toBe(true);
  });

  it("is not read after the view is closed", async () => {
    const { merge, output } = setup();
    void output.load();
    await settle();
    output.close();
    await vi.advanceTimersByTimeAsync(POLL_MS * 3);
    expect(merge.reads).toBe(1);
  });
});
