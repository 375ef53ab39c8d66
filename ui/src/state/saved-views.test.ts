import { beforeEach, expect, it } from "vitest";
import { LONGEST_NAME, MOST_SAVED, readBeadsLayout } from "./beads-layout";
import { Layout } from "./layout.svelte";
import { isChanged, move, openOf, openSaved, remove, rename, saveAs, update } from "./saved-views";

let layout: Layout;
let kept: unknown;

beforeEach(() => {
  sessionStorage.clear();
  layout = new Layout("p", null, (value) => Promise.resolve((kept = value)));
});
const names = () => layout.beads.saved.map(({ name }) => name);

it("a saved view restores query, view, order, columns and groups", () => {
  layout.setBeads({ view: "list", query: "label:ui ", sort: { by: "updated", down: true }, columns: ["title", "id"] });
  layout.setBoard({ group: "epic", hidden: ["closed"] });
  expect(saveAs(layout, " My view ")).toBe(true);
  layout.setBeads({ view: "graph", query: "" });
  layout.setBoard({ group: "none", hidden: [] });
  expect(isChanged(layout)).toBe(true);
  openSaved(layout, layout.beads.saved[0]?.id ?? "");
  expect(layout.beads).toMatchObject({ view: "list", query: "label:ui", sort: { by: "updated", down: true } });
  expect(layout.beads.columns).toEqual(["title", "id"]);
  expect(layout.board).toMatchObject({ group: "epic", hidden: ["closed"] });
  expect([openOf(layout)?.name, isChanged(layout)]).toEqual(["My view", false]);
});

it("survives a restart of the window, at any address", () => {
  layout.setBeads({ query: "priority<=1" });
  saveAs(layout, "Urgent");
  layout.leave();
  sessionStorage.clear();
  const again = new Layout("p", JSON.parse(JSON.stringify(kept)), () => Promise.resolve());
  expect(again.beads.saved).toMatchObject([{ name: "Urgent", query: "priority<=1" }]);
  expect(openOf(again)?.name).toBe("Urgent");
});

it("updates, renames, orders and deletes", () => {
  for (const name of ["A", "B", "C"]) saveAs(layout, name);
  const [a = "", b = ""] = layout.beads.saved.map(({ id }) => id);
  move(layout, a, 5);
  expect(names()).toEqual(["B", "C", "A"]);
  move(layout, a, -1);
  expect(names()).toEqual(["B", "A", "C"]);
  rename(layout, b, "  ");
  rename(layout, b, "Bees");
  expect(names()).toEqual(["Bees", "A", "C"]);
  openSaved(layout, b);
  layout.setBeads({ query: "new" });
  update(layout);
  expect([isChanged(layout), openOf(layout)?.query]).toEqual([false, "new"]);
  remove(layout, b);
  expect([names(), layout.beads.open]).toEqual([["A", "C"], null]);
});

it("new views never take the ID of another one", () => {
  for (const name of ["A", "B"]) saveAs(layout, name);
  remove(layout, layout.beads.saved[0]?.id ?? "");
  saveAs(layout, "C");
  expect(new Set(layout.beads.saved.map(({ id }) => id)).size).toBe(2);
});

it("a full layout stays below the engine's size limit", () => {
  layout.setBeads({ query: "q".repeat(400) });
  for (let n = 0; n <= MOST_SAVED; n++) saveAs(layout, `${n} ${"n".repeat(100)}`);
  expect(layout.beads.saved).toHaveLength(MOST_SAVED);
  expect(layout.beads.saved[0]?.name).toHaveLength(LONGEST_NAME);
  layout.leave();
  expect(JSON.stringify(kept).length).toBeLessThan(16 * 1024);
});

it("reads damaged layouts", () => {
  const read = readBeadsLayout({
    view: "sideways",
    query: 7,
    sort: { by: "x" },
    columns: ["id", "id", "x"],
    widths: { title: "wide", id: 1e9, status: 3 },
    saved: [null, { id: "1" }, { id: "2", name: "Fine", query: "a" }],
    open: "9",
  });
  expect(read).toMatchObject({ view: "board", query: "", sort: { by: "priority" }, open: null });
  expect(read.columns).toContain("title");
  expect(read.widths).toEqual({ id: 1200, status: 48 });
  expect(read.saved.map(({ name }) => name)).toEqual(["Fine"]);
});
