import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallError } from "../../platform";
import { Finding } from "./finding.svelte";
import { REST } from "./found.svelte";

describe("finding in a conversation", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function made(answers: Record<string, number[]>) {
    const shown: number[] = [];
    const asked: string[] = [];
    const ask = ({ text }: { text: string }) => {
      asked.push(text);
      const places = answers[text];
      return places
        ? Promise.resolve({ places, hits: [] })
        : Promise.reject(new CallError("io", "the file cannot be read"));
    };
    const finding = new Finding("s", ask, (place) => shown.push(place));
    const typed = async (text: string, near?: number) => {
      finding.look(text, near);
      await vi.advanceTimersByTimeAsync(REST);
    };
    return { shown, asked, finding, typed };
  }

  it("begins at the last place, goes both ways, and round", async () => {
    const { shown, finding, typed } = made({ time: [3, 40, 1900] });
    await typed("time");
    finding.step(1);
    finding.step(-1);
    finding.step(-1);
    expect([shown, finding.at]).toEqual([[1900, 3, 1900, 40], 1]);
  });

  it("begins at the place that was asked for", async () => {
    const { shown, typed } = made({ time: [3, 40, 1900] });
    await typed("time", 40);
    await typed("time", 2000);
    expect(shown).toEqual([40, 1900]);
  });

  it("asks once the typing rests, and not for nothing", async () => {
    const { asked, finding, typed } = made({ tim: [1], time: [] });
    finding.look("tim");
    await typed("time");
    await typed("  ");
    expect([asked, finding.places]).toEqual([["time"], null]);
  });

  it("nothing found is told from not found out", async () => {
    const { shown, finding, typed } = made({ none: [] });
    await typed("none");
    finding.step(1);
    expect([finding.places, finding.error, shown]).toEqual([[], null, []]);
    await typed("broken");
    expect([finding.places, finding.error?.message]).toEqual([null, "the file cannot be read"]);
  });
});
