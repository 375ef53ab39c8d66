import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Bead } from "../generated/api";
import { fakeHost } from "../platform/fake";
import { Beads, columnOf, COLUMNS } from "./beads.svelte";
import { Board } from "./board.svelte";
import { Layout } from "./layout.svelte";

const ALL = COLUMNS.map((c) => c.id);
let beads: Beads;
let board: Board;

beforeEach(async () => {
  sessionStorage.clear();
  const host = fakeHost();
  beads = new Beads(host, "gatehouse");
  await beads.reload();
  const layout = new Layout("gatehouse", null, () => Promise.resolve());
  board = new Board(beads, layout, (query) => host.call("bead.query", { query }));
});
/** Waits until the current query is answered. */
const answered = () => vi.waitUntil(() => board.answer.answered === board.query.trim());

const ids = (list: Bead[]) => list.map((b) => b.id);

describe("board", () => {
  it("puts each bead into one column, urgent ones first", () => {
    expect(ids(beads.columns.ready).slice(0, 3)).toEqual(["BC-101", "BC-112", "BC-115"]);
    expect(ids(beads.columns.in_progress)).toContain("BC-097");
    expect(ids(beads.columns.closed)[0]).toBe("BC-088");
    expect(board.allCount).toBe(beads.list.length);
  });

  it("leaves out beads that are not work", () => {
    const bead = beads.list[0];
    if (!bead) throw new Error("the sample project has beads");
    expect(columnOf({ ...bead, status: "tombstone" })).toBeNull();
    expect(columnOf({ ...bead, status: "pinned" })).toBeNull();
    expect(columnOf({ ...bead, status: "deferred", ready: false })).toBe("blocked");
  });

  it("counts the filtered beads of each column", async () => {
    board.toggle("label", "parser");
    expect(board.query).toBe("label:parser");
    await answered();
    expect(board.countOf("ready")).toBe("4/8");
    board.query += " fuzz";
    await answered();
    expect(ids(board.columns.ready)).toEqual(["BC-127"]);
    board.clear();
    expect(board.countOf("ready")).toBe("8");
  });

  it("the cursor starts on the first ready bead and moves over visible beads", () => {
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

  it("the cursor skips collapsed and empty columns", async () => {
    board.move("left", ["ready", "in_progress", "in_review"]);
    expect(board.place?.column).toBe("ready");
    board.toggle("label", "ops");
    await answered();
    board.cursor = "BC-128";
    board.move("right", ALL);
    expect(board.place?.column).toBe("in_review");
  });

  it("the cursor leaves a bead that the filter hides", async () => {
    board.cursor = "BC-101";
    board.toggle("label", "auth");
    await answered();
    expect(board.place?.bead.id).toBe("BC-112");
  });
});

describe("selection", () => {
  const order = ["a", "b", "c", "d", "e"];

  it("a range goes from the last selected bead, in either direction, and keeps the others", () => {
    board.select("d");
    board.selectTo("b", order);
    expect([...board.selected].sort()).toEqual(["b", "c", "d"]);
    board.selectTo("e", order);
    expect([...board.selected].sort()).toEqual(["b", "c", "d", "e"]);
  });

  it("a range whose beginning is not shown is one bead", () => {
    board.select("hidden");
    board.selectTo("c", order);
    expect([...board.selected].sort()).toEqual(["c", "hidden"]);
    board.deselect();
    board.selectTo("a", order);
    expect([...board.selected]).toEqual(["a"]);
  });
});

describe("list of beads", () => {
  it("reports a failed read, and recovers with a later one", async () => {
    const failing = new Beads(fakeHost(new URLSearchParams("with=tracker-failed")), "gatehouse");
    await failing.reload();
    expect(failing.phase).toMatchObject({ state: "failed", error: { code: "tracker_failed" } });
  });

  it("coalesces requests during a read into one more read", async () => {
    const host = fakeHost();
    let reads = 0;
    const counting = new Beads(
      { ...host, call: (method, params, project) => (reads++, host.call(method, params, project)) },
      "gatehouse",
    );
    await Promise.all([counting.reload(), counting.reload(), counting.reload(), counting.reload()]);
    expect(reads).toBe(2);
  });

  it("removes control characters from titles", async () => {
    const host = fakeHost();
    await host.call("bead.create", { title: "ab\u202Ecd\u001b[31m\nef<b>" });
    const read = new Beads(host, "gatehouse");
    await read.reload();
    expect(read.list.map((bead) => bead.title)).toContain("abcd[31m ef<b>");
  });
});
