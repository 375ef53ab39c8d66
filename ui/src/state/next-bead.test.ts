import { expect, it } from "vitest";
import type { NextBead } from "../generated/api";
import type { Call } from "./memories.svelte";
import type { Layout } from "./layout.svelte";
import { NextOffer, startedNext } from "./next-bead.svelte";
import { Toasts } from "./toasts.svelte";

const next = (id: string) => ({ bead: { id }, score: 1, reasons: ["P1"] }) as unknown as NextBead;

function setup() {
  const answers: ((ids: string[] | null) => void)[] = [];
  const call = (() =>
    new Promise((resolve, reject) =>
      answers.push((ids) => (ids ? resolve({ beads: ids.map(next) }) : reject(new Error("no")))),
    )) as unknown as Call;
  return { answers, offer: new NextOffer(call) };
}

it("offers the best bead after a close, then the others", async () => {
  const { answers, offer } = setup();
  const done = offer.offer("BC-1");
  answers[0]?.(["BC-2", "BC-3"]);
  await done;
  expect([offer.after, offer.current?.bead.id, offer.more]).toEqual(["BC-1", "BC-2", true]);
  offer.skip();
  expect([offer.current?.bead.id, offer.more]).toEqual(["BC-3", false]);
  offer.skip();
  expect([offer.after, offer.current]).toEqual([null, null]);
});

it("drops beads that are no longer ready, and the answer to an earlier close", async () => {
  const { answers, offer } = setup();
  const both = [offer.offer("BC-1"), offer.offer("BC-2")];
  answers[1]?.(["BC-4", "BC-5"]);
  answers[0]?.(["BC-3"]);
  await Promise.all(both);
  expect([offer.after, offer.current?.bead.id]).toEqual(["BC-2", "BC-4"]);
  offer.drop((id) => id !== "BC-4");
  expect(offer.current?.bead.id).toBe("BC-5");
  offer.drop(() => false);
  expect(offer.after).toBeNull();
});

it("offers nothing if nothing is ready, or if the question fails", async () => {
  const { answers, offer } = setup();
  for (const answer of [[], null]) {
    const done = offer.offer("BC-1");
    answers.at(-1)?.(answer);
    await done;
    expect([offer.after, offer.current]).toEqual([null, null]);
  }
});

it("reports a session that was started automatically, and opens it", () => {
  const toasts = new Toasts();
  const opened: string[] = [];
  const layout = { openSession: (id: string) => opened.push(id) } as unknown as Layout;
  startedNext({ bead: "BC-2", session: "s1", left: 2 }, toasts, layout);
  startedNext({ bead: "BC-3", session: "s2", left: 0 }, toasts, layout);
  expect(toasts.list.map(({ text }) => text)).toEqual([
    "Started BC-2, 2 more automatically",
    "Started BC-3, the last one",
  ]);
  toasts.list[0]?.action?.run();
  expect(opened).toEqual(["s1"]);
});
