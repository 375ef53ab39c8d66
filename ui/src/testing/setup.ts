// Runs before each test file. The files share one DOM and one set of modules, so each cleans up after itself.

import { cleanup, configure } from "@testing-library/svelte";
import { afterAll, afterEach, vi } from "vitest";

/** How long a test waits for a condition, in milliseconds. The default of one second is too short on a busy machine. */
const PATIENCE = 20_000;
configure({ asyncUtilTimeout: PATIENCE });
const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options = PATIENCE) => waitFor(callback, options);
vi.waitUntil = (callback, options = PATIENCE) => waitUntil(callback, options);

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
