// Runs before each test file. The files share one DOM and one set of modules, so each cleans up after itself.

import { cleanup } from "@testing-library/svelte";
import { afterAll, afterEach, vi } from "vitest";

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
