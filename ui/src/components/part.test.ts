import { describe, expect, it, vi } from "vitest";
import Kbd from "./Kbd.svelte";
import { Part } from "./part.svelte";

describe("a part of the program", () => {
  it("is fetched once, however often it is wanted", async () => {
    const load = vi.fn(async () => ({ default: Kbd }));
    const part = new Part(load);
    await Promise.all([part.fetch(), part.fetch()]);
    await part.fetch();
    expect(part.shows).toBe(Kbd);
    expect(load).toHaveBeenCalledOnce();
  });

  it("that does not come says so, and is tried again", async () => {
    const load = vi.fn(async () => ({ default: Kbd }));
    load.mockRejectedValueOnce(new TypeError("Importing a module script failed."));
    const part = new Part(load);
    await part.fetch();
    expect(part.shows).toBeNull();
    expect(part.error?.hint).toContain("Reload the page");
    // Nobody waited for it.
    expect(part.missed).toBeNull();
    await part.fetch();
    expect(part.shows).toBe(Kbd);
    expect(part.error).toBeNull();
  });

  it("that does not come for somebody who waits says to him why", async () => {
    const load = vi.fn(async () => ({ default: Kbd }));
    load.mockRejectedValueOnce(new TypeError("Importing a module script failed."));
    const part = new Part(load);
    expect(await part.want()).toBe(false);
    expect(part.missed?.message).toContain("could not be loaded");
    expect(await part.want()).toBe(true);
  });
});
