import { describe, expect, it } from "vitest";
import type { Bead, BeadList, BeadListParams } from "../generated/api";
import type { Host } from "../platform";
import { lists } from "../platform/fake/bead-list";
import { Beads, FIRST_PAGE } from "./beads.svelte";

function bead(n: number, more: Partial<Bead> = {}): Bead {
  return {
    id: `a-${n}`,
    title: `Bead ${n}`,
    status: "open",
    priority: 2,
    issue_type: "task",
    labels: [],
    blocked_by: [],
    unblocks: [],
    ready: true,
    ...more,
  } as Bead;
}

/** A tracker with these beads; records the requests and answers. */
function tracker(beads: Bead[]) {
  let list = lists(() => beads);
  const asked: BeadListParams[] = [];
  const answers: BeadList[] = [];
  const call = (_method: string, params: BeadListParams) => {
    asked.push(params);
    const answer = list(params);
    answers.push(answer);
    return Promise.resolve(structuredClone(answer));
  };
  const host = { call } as unknown as Host;
  const restart = () => (list = lists(() => beads));
  return { beads, asked, answers, host, restart, state: new Beads(host, "p") };
}

const titles = (list: readonly Bead[]) => list.map(({ title }) => title);

describe("loading beads", () => {
  it("shows the first beads of each column, then loads the rest", async () => {
    const { state, asked, host } = tracker(Array.from({ length: 500 }, (_, n) => bead(n)));
    const call = host.call.bind(host);
    let whole = () => {};
    host.call = (async (...args: Parameters<typeof call>) => {
      if (asked.length === 1) await new Promise<void>((go) => (whole = go));
      return call(...args);
    }) as typeof host.call;
    const reading = state.reload();
    await new Promise((ended) => setTimeout(ended));
    expect([state.list.length, state.partial]).toEqual([FIRST_PAGE, true]);
    whole();
    await reading;
    expect([state.list.length, state.partial]).toEqual([500, false]);
    expect(asked).toEqual([{ page: FIRST_PAGE }, {}]);
  });

  it("loads a small list once", async () => {
    const { state, asked } = tracker([bead(1), bead(2)]);
    await state.reload();
    expect([asked.length, state.list.length, state.partial]).toEqual([1, 2, false]);
  });

  it("then loads only changes, and unchanged beads stay the same objects", async () => {
    const { state, beads, answers } = tracker(Array.from({ length: 40 }, (_, n) => bead(n)));
    await state.reload();
    const before = new Map(state.list.map((one) => [one.id, one]));
    beads[3] = bead(3, { title: "Changed" });
    beads.splice(7, 1);
    beads.push(bead(99, { priority: 0 }));
    await state.reload();
    expect(answers[1]?.beads.map(({ id }) => id)).toEqual(["a-3", "a-99"]);
    expect(state.get("a-3")?.title).toBe("Changed");
    expect(state.get("a-7")).toBeUndefined();
    expect(state.columns.ready[0]?.id).toBe("a-99");
    const kept = state.list.filter((one) => before.get(one.id) === one);
    expect(kept.length).toBe(38);
  });

  it("takes a complete list after a restart of the server, without new objects for equal beads", async () => {
    const { state, beads, answers, restart } = tracker(Array.from({ length: 40 }, (_, n) => bead(n)));
    await state.reload();
    const before = state.list;
    restart();
    beads.splice(0, 1);
    await state.reload();
    expect(answers[1]?.changes_only).toBeUndefined();
    expect(state.list.length).toBe(39);
    expect(state.list.every((one) => before.includes(one))).toBe(true);
  });

  it("follows any changes", async () => {
    const { state, beads, restart } = tracker(Array.from({ length: 50 }, (_, n) => bead(n)));
    let seed = 5;
    const below = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit;
    for (let round = 0; round < 120; round++) {
      for (let n = below(4); n > 0; n--) {
        const at = below(beads.length + 1);
        if (below(3) === 0 && at < beads.length) beads.splice(at, 1);
        else {
          const id = below(80);
          const known = beads.findIndex((one) => one.id === `a-${id}`);
          const next = bead(id, { priority: below(5), title: `T${round}`, ready: below(2) === 0 });
          if (known < 0) beads.push(next);
          else beads[known] = next;
        }
      }
      if (below(20) === 0) restart();
      await state.reload();
      const whole = new Beads({ ...tracker(beads).host }, "p");
      await whole.reload();
      expect(state.list).toEqual(whole.list);
      expect(state.columns).toEqual(whole.columns);
    }
  });

  it("shows a command's answer until a later load, also when an earlier load ends after it", async () => {
    const { state, beads, host } = tracker([bead(1), bead(2)]);
    await state.reload();
    const call = host.call.bind(host);
    let end = () => {};
    host.call = (async (...args: Parameters<typeof call>) => {
      const answer = await call(...args);
      await new Promise<void>((ended) => (end = ended));
      return answer;
    }) as typeof host.call;
    const reading = state.reload();
    await Promise.resolve();
    beads[0] = bead(1, { title: "Written" });
    state.put(beads[0]);
    expect(titles(state.list)).toEqual(["Written", "Bead 2"]);
    host.call = call;
    await new Promise((ended) => setTimeout(ended));
    end();
    await reading;
    expect(titles(state.list)).toEqual(["Written", "Bead 2"]);
    beads[0] = bead(1, { title: "Later" });
    await state.reload();
    expect(titles(state.list)).toEqual(["Later", "Bead 2"]);
    state.drop("a-2");
    expect(titles(state.list)).toEqual(["Later"]);
    await state.reload();
    expect(titles(state.list)).toEqual(["Later", "Bead 2"]);
  });

  it("shows unconfirmed changes over the loaded beads until they are withdrawn", async () => {
    const { state, beads } = tracker([bead(1), bead(2)]);
    await state.reload();
    const undo = state.overlay(new Map([["a-1", (one) => ({ ...one, status: "in_progress" })]]));
    expect([state.columns.ready.length, state.columns.in_progress.length]).toEqual([1, 1]);
    beads[0] = bead(1, { title: "Changed" });
    await state.reload();
    expect(titles(state.columns.in_progress)).toEqual(["Changed"]);
    undo();
    expect(titles(state.columns.ready)).toEqual(["Changed", "Bead 2"]);
  });
});
