import { expect, test } from "vitest";
import { notePageError, pageErrors, watchPageErrors } from "./page-errors";

test("records uncaught errors with their stack until the page stops watching", () => {
  const page = new EventTarget() as unknown as Window;
  const stop = watchPageErrors(page);
  const before = pageErrors().length;
  const fail = (message: string) =>
    page.dispatchEvent(Object.assign(new Event("error"), { error: new TypeError(message), message }));
  fail("x is undefined");
  page.dispatchEvent(Object.assign(new Event("unhandledrejection"), { reason: "no reason" }));
  stop();
  fail("not noted");
  const noted = pageErrors().slice(before);
  expect(noted).toHaveLength(2);
  expect(noted[0]).toMatch(/^\d{4}-.*TypeError: x is undefined/);
  expect(noted[1]).toMatch(/no reason$/);
});

test("keeps only the newest errors", () => {
  for (let n = 0; n < 150; n++) notePageError(`error ${n}.`);
  const kept = pageErrors();
  expect(kept).toHaveLength(100);
  expect(kept.at(-1)).toContain("error 149.");
  expect(kept[0]).toContain("error 50.");
});
