import { afterEach, expect, it, vi } from "vitest";
import { Drafts } from "./drafts";

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

it("drops an older text if the browser's storage is full", () => {
  const project = { key: "shop", call: vi.fn(() => new Promise<never>(() => {})) };
  const drafts = new Drafts(project, "0f3c6a52-8d1e-4b7a-9c05-2e6f1a7d4b93");
  drafts.set("first");
  expect(drafts.unsaved()).toBe("first");
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  drafts.set("first and more");
  expect(drafts.unsaved()).toBeNull();
});
