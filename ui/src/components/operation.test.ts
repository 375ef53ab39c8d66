import { expect, it } from "vitest";
import { CallError } from "../platform";
import { Operation } from "./operation.svelte";

it("an operation is busy until it ends, and keeps the error of its last run only", async () => {
  const operation = new Operation();
  const failed = operation.run(() => Promise.reject(new CallError("io", "no")));
  expect(operation.busy).toBe(true);
  expect([await failed, operation.busy, operation.error?.message]).toEqual([false, false, "no"]);
  const repeated = operation.try(() => Promise.resolve());
  expect([operation.busy, operation.error]).toEqual([false, null]);
  expect(await repeated).toBe(true);
});

it("only the last load counts", async () => {
  const operation = new Operation();
  const answers: ((answer: string) => void)[] = [];
  const used: string[] = [];
  const load = () =>
    operation.load(
      () => new Promise<string>((answer) => answers.push(answer)),
      (answer) => used.push(answer),
    );
  const all = Promise.all([load(), load()]);
  answers[1]?.("new");
  answers[0]?.("old");
  await all;
  expect(used).toEqual(["new"]);
});
