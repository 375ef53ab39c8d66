import { describe, expect, it, vi } from "vitest";
import type { PersonAccess } from "../generated/api";
import { fakeHost } from "../platform/fake";
import { People, presence } from "./people.svelte";

describe("the people with access", () => {
  it("are listed, added and revoked", async () => {
    const people = new People(fakeHost(new URLSearchParams()));
    people.show();
    await vi.waitFor(() => expect(people.mayChange).toBe(true));
    expect(await people.add(" Cai ")).toBe(true);
    expect(people.link?.name).toBe("Cai");
    expect(people.list.map(({ name }) => name)).toContain("Cai");
    await people.revoke("Cai");
    expect(people.link).toBeNull();
    expect(people.list.map(({ name }) => name)).not.toContain("Cai");
  });

  it("show why a person cannot be added", async () => {
    const people = new People(fakeHost(new URLSearchParams()));
    expect(await people.add("  ")).toBe(false);
    expect(people.error?.code).toBe("usage");
    expect(people.link).toBeNull();
  });

  it("are loaded again when they change, while they are shown", async () => {
    const host = fakeHost(new URLSearchParams());
    const call = vi.spyOn(host, "call");
    const people = new People(host);
    people.changed();
    expect(call).not.toHaveBeenCalled();
    const hide = people.show();
    people.changed();
    expect(call).toHaveBeenCalledTimes(2);
    hide();
    people.changed();
    expect(call).toHaveBeenCalledTimes(2);
  });

  it("have a state as a label", () => {
    const of = (change: Partial<PersonAccess>) =>
      presence({ name: "Ana", tabs: 0, unused_link: false, owner: false, you: false, ...change });
    expect(of({})).toBe("Not connected");
    expect(of({ unused_link: true })).toBe("Link not used");
    expect(of({ tabs: 1, unused_link: true })).toBe("Connected");
    expect(of({ tabs: 2 })).toBe("Connected in 2 tabs");
  });
});
