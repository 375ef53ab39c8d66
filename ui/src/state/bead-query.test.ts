import { expect, it, vi } from "vitest";
import type { BeadQueryAnswer } from "../generated/api";
import { BeadQuery } from "./bead-query.svelte";

/** A query whose answers the test releases. */
function slow() {
  const asked: { query: string; answer: (ids: string[]) => void; refuse: (why: string) => void }[] = [];
  const query = new BeadQuery(
    (query) =>
      new Promise<BeadQueryAnswer>((resolve, reject) => {
        asked.push({
          query,
          answer: (ids) => resolve({ ids, problems: [] }),
          refuse: (why) => reject(new Error(why)),
        });
      }),
  );
  const given = async (n: number) => await vi.waitUntil(() => asked[n]);
  return { query, asked, given };
}

it("asks for the newest text only, one query at a time", async () => {
  const { query, asked, given } = slow();
  for (const text of ["l", "la", "lab"]) query.ask(text);
  expect(asked.map((one) => one.query)).toEqual(["l"]);
  asked[0]?.answer(["A"]);
  const next = await given(1);
  expect(next.query).toBe("lab");
  // The answer to the older text is dropped.
  expect(query.ids).toBeNull();
  next.answer(["B"]);
  await vi.waitUntil(() => query.answered === "lab");
  expect([...(query.ids ?? [])]).toEqual(["B"]);
});

it("keeps the last result until the next answer", async () => {
  const { query, asked, given } = slow();
  query.ask("a");
  asked[0]?.answer(["A"]);
  await vi.waitUntil(() => query.ids);
  query.ask("ab");
  expect([...(query.ids ?? [])]).toEqual(["A"]);
  (await given(1)).answer(["B"]);
  await vi.waitUntil(() => query.answered === "ab");
});

it("drops an answer that comes after the query was cleared", async () => {
  const { query, asked } = slow();
  query.ask("a");
  query.ask("  ");
  asked[0]?.answer(["A"]);
  await Promise.resolve();
  await Promise.resolve();
  expect(query.ids).toBeNull();
});

it("reports a query that fails, and recovers", async () => {
  const { query, asked, given } = slow();
  query.ask("a");
  asked[0]?.refuse("the tracker is busy");
  await vi.waitUntil(() => query.error);
  expect(query.error?.message).toBe("the tracker is busy");
  query.ask("a");
  (await given(1)).answer([]);
  await vi.waitUntil(() => query.error === null);
});
