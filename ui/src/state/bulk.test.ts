import { expect, it, vi } from "vitest";
import { Bulk, type BulkTask } from "./bulk.svelte";

const task = (write: BulkTask["write"]): BulkTask => ({ title: "Setting", said: "Set", write });

it("writes one bead after another and keeps a result for each", async () => {
  const bulk = new Bulk();
  let [now, most] = [0, 0];
  await bulk.run(
    task(async (id) => {
      most = Math.max(most, ++now);
      await Promise.resolve();
      now--;
      if (id === "B") throw new Error("B is locked");
      return () => Promise.resolve();
    }),
    ["A", "B", "C"],
  );
  expect(most).toBe(1);
  expect([bulk.done, bulk.running]).toEqual([2, false]);
  expect(bulk.refused).toEqual([{ id: "B", state: "refused", reason: "B is locked" }]);
});

it("retries only refused and cancelled beads", async () => {
  const bulk = new Bulk();
  const written: string[] = [];
  let locked = true;
  await bulk.run(
    task((id) => {
      written.push(id);
      return id === "B" && locked ? Promise.reject(new Error("no")) : Promise.resolve(undefined);
    }),
    ["A", "B"],
  );
  locked = false;
  await bulk.retry();
  expect(written).toEqual(["A", "B", "B"]);
  expect([bulk.done, bulk.refused.length]).toEqual([2, 0]);
});

it("cancels between two beads", async () => {
  const bulk = new Bulk();
  const gate: (() => void)[] = [];
  const run = bulk.run(
    task(() => new Promise((resolve) => gate.push(() => resolve(undefined)))),
    ["A", "B", "C"],
  );
  await vi.waitUntil(() => gate.length === 1);
  bulk.cancel();
  gate[0]?.();
  await run;
  expect([bulk.done, bulk.cancelled, bulk.finished]).toEqual([1, 2, 3]);
});

it("offers undo only if all changes can be undone", async () => {
  const bulk = new Bulk();
  const taken: string[] = [];
  const backed = task((id) => Promise.resolve(async () => void taken.push(id)));
  await bulk.run(backed, ["A", "B"]);
  await bulk.back?.();
  expect(taken).toEqual(["A", "B"]);
  await bulk.run(
    task((id) => Promise.resolve(id === "A" ? async () => {} : undefined)),
    ["A", "B"],
  );
  expect(bulk.back).toBeNull();
});
