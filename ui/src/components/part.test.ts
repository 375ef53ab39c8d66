import { describe, expect, it, vi } from "vitest";
import Kbd from "./Kbd.svelte";
import { Part } from "./part.svelte";

describe("lazily loaded part", () => {
  it("is fetched once for several requests", async () => {
    const load = vi.fn(async () => ({ default: Kbd }));
    const part = new Part(load);
    await Promise.all([part.fetch(), part.fetch()]);
    await part.fetch();
    expect(part.component).toBe(Kbd);
    expect(load).toHaveBeenCalledOnce();
  });

  it("reports a failed load and tries again", async () => {
    const load = vi.fn(async () => ({ default: Kbd }));
    load.mockRejectedValueOnce(new TypeError("Importing a module script failed."));
    const part = new Part(load);
    await part.fetch();
    expect(part.component).toBeNull();
    expect(part.error?.hint).toContain("Reload the page");
    // No user waited for the load.
    expect(part.unshownError).toBeNull();
    await part.fetch();
    expect(part.component).toBe(Kbd);
    expect(part.error).toBeNull();
  });

  it("reports the reason to a user who waits for it", async () => {
    const load = vi.fn(async () => ({ default: Kbd }));
    load.mockRejectedValueOnce(new TypeError("Importing a module script failed."));
    const part = new Part(load);
    expect(await part.want()).toBe(false);
    expect(part.unshownError?.message).toContain("could not be loaded");
    expect(await part.want()).toBe(true);
  });
});
