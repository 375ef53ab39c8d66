import { beforeEach, describe, expect, it, vi } from "vitest";
import type { VersionCheck } from "../generated/api";
import { CallError, type Host } from "../platform";
import { fakeHost } from "../platform/fake";
import { App } from "./app.svelte";
import { saidOf } from "./new-version.svelte";

beforeEach(() => localStorage.clear());

const FOUND: VersionCheck = { version: "0.1.0", latest: "0.2.0", newer: true, source: "https://example.org/c.git" };

/** An app that counts version checks; `answer` may throw. */
function asking(answer: () => VersionCheck) {
  const real = fakeHost();
  let asked = 0;
  const host: Host = {
    ...real,
    call: (method, params, key) => {
      if (method !== "app.check_version") return real.call(method, params, key);
      asked++;
      return Promise.resolve().then(answer) as ReturnType<typeof real.call<typeof method>>;
    },
  };
  return { app: new App(host), asked: () => asked };
}

describe("the check for a new version", () => {
  it("asks nothing until it is switched on and has an address", async () => {
    const { app, asked } = asking(() => FOUND);
    await app.newVersion.remind();
    app.settings = { ...app.settings, update_check: true };
    await app.newVersion.remind();
    app.settings = { ...app.settings, update_check: false, update_source: FOUND.source };
    await app.newVersion.remind();
    app.newVersion.stop();
    expect(asked()).toBe(0);
  });

  it("asks once a day, and announces a newer version", async () => {
    vi.useFakeTimers({ now: new Date("2026-11-25T10:00:00Z") });
    const { app, asked } = asking(() => FOUND);
    app.settings = { ...app.settings, update_check: true, update_source: FOUND.source };
    await app.newVersion.remind();
    await app.newVersion.remind();
    expect(asked()).toBe(1);
    expect(app.toasts.list[0]?.text).toBe("Beads Console 0.2.0 is available.");
    await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1000);
    expect(asked()).toBe(2);
    app.newVersion.stop();
    vi.useRealTimers();
  });

  it("keeps the reason for a failure, and shows no toast", async () => {
    const { app } = asking(() => {
      throw new CallError("git_failed", "git could not list the released versions");
    });
    app.settings = { ...app.settings, update_check: true, update_source: FOUND.source };
    await app.newVersion.remind();
    app.newVersion.stop();
    expect(app.toasts.list).toEqual([]);
    expect(app.newVersion.error?.code).toBe("git_failed");
    expect(app.newVersion.busy).toBe(false);
  });

  it("describes the result", () => {
    expect(saidOf(FOUND)).toContain("Version 0.2.0 is available");
    expect(saidOf({ ...FOUND, latest: "0.1.0", newer: false })).toBe("This is the newest version.");
    expect(saidOf({ ...FOUND, latest: null, newer: false })).toBe("This address has no released version.");
  });
});
