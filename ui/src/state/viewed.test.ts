import { describe, expect, it } from "vitest";
import { fakeHost } from "../platform/fake";
import { sessionId } from "../platform/fake/sessions";
import type { SessionViewed } from "../generated/api";
import { CallError } from "../platform/host";
import { Viewed } from "./viewed.svelte";

type Call = ConstructorParameters<typeof Viewed>[0];
const over =
  (host = fakeHost()): Call =>
  (method, params) =>
    host.call(method, params, "gatehouse");

/** A host whose answers the test releases, in the order of the requests. */
function slow() {
  const kept = new Map<string, string>();
  const requests: { method: string; go: (error?: CallError) => void }[] = [];
  const call = ((method: string, { path, content }: { path?: string; content?: string | null }) =>
    new Promise<SessionViewed>((answer, refuse) => {
      const go = (error?: CallError) => {
        if (error) return refuse(error);
        if (path !== undefined && content) kept.set(path, content);
        else if (path !== undefined) kept.delete(path);
        answer({ files: Object.fromEntries(kept) });
      };
      requests.push({ method, go });
    })) as Call;
  return { call, kept, requests };
}

describe("viewed files", () => {
  it("are shared by all views of one session", async () => {
    const call = over();
    const [one, other] = [new Viewed(call, sessionId(1)), new Viewed(call, sessionId(1))];
    await one.set("src/auth/login.rs", "1..2");
    expect(other.asked).toBe(false);
    await other.read();
    expect([...other.marks]).toEqual([["src/auth/login.rs", "1..2"]]);
    expect(other.asked).toBe(true);
    await other.set("src/auth/login.rs", null);
    await one.read();
    expect([...one.marks]).toEqual([]);
  });

  it("are shown before they are saved, one request at a time", async () => {
    const { call, requests } = slow();
    const viewed = new Viewed(call, "s");
    const done = [viewed.set("a", "1"), viewed.read(), viewed.set("b", "2"), viewed.set("a", null)];
    expect([...viewed.marks]).toEqual([["b", "2"]]);
    for (let n = 1; n <= done.length; n++) {
      await expect.poll(() => requests.length).toBe(n);
      expect([...viewed.marks]).toEqual([["b", "2"]]);
      requests[n - 1]?.go();
    }
    await Promise.all(done);
    expect([...viewed.marks]).toEqual([["b", "2"]]);
    expect(requests.map(({ method }) => method)).toEqual([
      "session.set_viewed",
      "session.viewed",
      "session.set_viewed",
      "session.set_viewed",
    ]);
  });

  it("are reverted if a save fails, and later ones are saved", async () => {
    const { call, requests } = slow();
    const viewed = new Viewed(call, "s");
    const refused = viewed.set("a", "1").catch((thrown: CallError) => thrown.message);
    const kept = viewed.set("b", "2");
    await expect.poll(() => requests.length).toBe(1);
    requests[0]?.go(new CallError("io", "No room."));
    expect(await refused).toBe("No room.");
    await expect.poll(() => requests.length).toBe(2);
    requests[1]?.go();
    await kept;
    expect([...viewed.marks]).toEqual([["b", "2"]]);
  });
});
