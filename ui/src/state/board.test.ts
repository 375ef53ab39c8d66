import { beforeEach, describe, expect, it } from "vitest";
import type { Bead } from "../generated/api";
import { fakeHost } from "../platform/fake";
import { Beads, columnOf, COLUMNS } from "./beads.svelte";
import { Board } from "./board.svelte";

const ALL = COLUMNS.map((c) => c.id);
let beads: Beads;
let board: Board;

beforeEach(async () => {
  beads = new Beads(fakeHost(), "gatehouse");
  await beads.reload();
  board = new Board(beads);
});

const ids = (list: Bead[]) => list.map((b) => b.id);

describe("the board", () => {
  it("puts each bead into one column, the urgent first", () => {
    expect(ids(beads.columns.ready).slice(0, 3)).toEqual(["BC-101", "BC-112", "BC-115"]);
    expect(ids(beads.columns.in_progress)).toContain("BC-097");
    expect(ids(beads.columns.closed)[0]).toBe("BC-088");
    expect(board.allCount).toBe(beads.list.length);
  });

  it("leaves out what is never work", () => {
    const bead = beads.list[0];
    if (!bead) throw new Error("the made-up project has beads");
    expect(columnOf({ ...bead, status: "tombstone" })).toBeNull();
    expect(columnOf({ ...bead, status: "pinned" })).toBeNull();
    expect(columnOf({ ...bead, status: "deferred", ready: false })).toBe("blocked");
  });

  it("counts what the filter shows of what there is", () => {
    board.toggle("label", "parser");
    expect(board.countOf("ready")).toBe("4/8");
    board.text = "fuzz";
    expect(ids(board.columns.ready)).toEqual(["BC-127"]);
    board.clear();
    expect(board.countOf("ready")).toBe("8");
  });

  it("the cursor starts on the first ready bead and moves over what is shown", () => {
    expect(board.place?.bead.id).toBe("BC-101");
    board.move("down", ALL);
    expect(board.place?.bead.id).toBe("BC-112");
    board.move("right", ALL);
    expect(board.place?.column).toBe("in_progress");
    board.move("left", ALL);
    board.move("up", ALL);
    board.move("up", ALL);
    expect(board.place?.bead.id).toBe("BC-101");
  });

  it("the cursor passes over folded columns and empty ones", () => {
    board.move("left", ["ready", "in_progress", "in_review"]);
    expect(board.place?.column).toBe("ready");
    board.toggle("label", "ops");
    board.cursor = "BC-128";
    board.move("right", ALL);
    expect(board.place?.column).toBe("in_review");
  });

  it("a bead that the filter hides is not under the cursor", () => {
    board.cursor = "BC-101";
    board.toggle("label", "auth");
    expect(board.place?.bead.id).toBe("BC-112");
  });
});

describe("the list of beads", () => {
  it("a failed read says why and a later one recovers", async () => {
    const failing = new Beads(fakeHost(new URLSearchParams("with=tracker-failed")), "gatehouse");
    await failing.reload();
    expect(failing.phase).toMatchObject({ state: "failed", error: { code: "tracker_failed" } });
  });

  it("calls while it reads become one more read", async () => {
    const host = fakeHost();
    let reads = 0;
    const counting = new Beads(
      { ...host, call: (method, params, project) => (reads++, host.call(method, params, project)) },
      "gatehouse",
    );
    await Promise.all([counting.reload(), counting.reload(), counting.reload(), counting.reload()]);
    expect(reads).toBe(2);
  });

  it("a title cannot reorder what is around it", async () => {
    const host = fakeHost();
    await host.call("bead.create", { title: "ab\u202Ecd\u001b[31m\nef<b>" });
    const read = new Beads(host, "gatehouse");
    await read.reload();
    expect(read.list.at(-1)?.title).toBe("abcd[31m ef<b>");
  });
});
