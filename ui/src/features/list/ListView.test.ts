import { fireEvent, screen, within } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { CallError } from "../../platform";
import SelectionBar from "../bulk/SelectionBar.svelte";
import { mounted, world, type World } from "../../testing/mounted";
import ListHead from "./ListHead.svelte";
import ListRow from "./ListRow.svelte";

let here: World;
beforeEach(async () => {
  here = await world();
});

const bar = () => screen.getByRole("toolbar", { name: "Selected beads" });
const pickIn = async (name: string, option: RegExp) => {
  await fireEvent.click(within(bar()).getByRole("button", { name }));
  await fireEvent.click(await screen.findByRole("option", { name: option }));
};

function row(id: string, more: Record<string, unknown> = {}) {
  const bead = here.project.beads.get(id);
  if (!bead) throw new Error(`${id} is a bead of the sample project`);
  const handlers = { onselect: vi.fn(), onpick: vi.fn(), onname: vi.fn() };
  mounted(here, ListRow, {
    bead,
    columns: ["id", "title", "status", "priority", "assignee", "labels"] as const,
    ...{
      index: 0,
      cursor: true,
      selected: false,
      writable: true,
      naming: false,
      sessions: 0,
      epic: "",
      now: Date.now(),
    },
    ...handlers,
    ...more,
  });
  return { bead, ...handlers, element: screen.getByRole("row") };
}

it("a row opens its bead, and its cells ask for a new value", async () => {
  const { element, onpick } = row("BC-112");
  await fireEvent.click(within(element).getByText("Rate-limit login by account and address"));
  expect(here.app.dialogs.bead).toBe("BC-112");
  await fireEvent.click(within(element).getByText("Mara Klein"));
  await fireEvent.click(within(element).getByText("P1"));
  expect(onpick.mock.calls.map(([field]) => field)).toEqual(["assignee", "priority"]);
});

it("Shift with a click selects a range instead of opening the bead", async () => {
  const { element, onselect } = row("BC-112");
  await fireEvent.click(within(element).getByText("Rate-limit login by account and address"), { shiftKey: true });
  expect([onselect.mock.calls, here.app.dialogs.bead]).toEqual([[[true]], null]);
});

it("a title is saved with Enter", async () => {
  const { onname } = row("BC-112", { naming: true });
  const field = screen.getByRole("textbox", { name: "Title of BC-112" });
  await fireEvent.input(field, { target: { value: "Limit logins" } });
  await fireEvent.keyDown(field, { key: "Enter" });
  expect(onname.mock.calls).toEqual([["Limit logins"]]);
});

it("cells of a read-only tracker are not buttons", () => {
  const { element } = row("BC-112", { writable: false });
  expect(within(element).queryByRole("button", { name: /P1/ })).toBeNull();
});

it("the head sorts, reverses the order, and resizes columns by key", async () => {
  mounted(here, ListHead, { selected: "none" as const, onselect: () => {} });
  const { layout } = here.project;
  await fireEvent.click(screen.getByRole("button", { name: "Updated" }));
  expect(layout.beads.sort).toEqual({ by: "updated", down: true });
  await fireEvent.click(screen.getByRole("button", { name: "Updated" }));
  expect(layout.beads.sort).toEqual({ by: "updated", down: false });
  expect(screen.getByRole("columnheader", { name: /Updated/ }).getAttribute("aria-sort")).toBe("ascending");
  const before = Number(screen.getByRole("separator", { name: "Width of Status" }).getAttribute("aria-valuenow"));
  await fireEvent.keyDown(screen.getByRole("separator", { name: "Width of Status" }), { key: "ArrowRight" });
  expect(layout.beads.widths.status).toBe(before + 16);
});

it("changes all selected beads, reports the refused one, and retries only that", async () => {
  let locked = true;
  const { project } = here;
  const send = project.edits.change.bind(project.edits);
  vi.spyOn(project.edits, "change").mockImplementation((id, change, options) =>
    id === "BC-101" && locked
      ? Promise.resolve({ bead: null, error: new CallError("tracker_failed", "The database is locked.") })
      : send(id, change, options),
  );
  for (const id of ["BC-112", "BC-101", "BC-115"]) project.board.select(id);
  mounted(here, SelectionBar, {});
  await pickIn("Priority", /^P3/);
  await screen.findByText("Priority set to P3: 2 of 3 beads, 1 refused");
  expect(screen.getByText("The database is locked.")).toBeTruthy();
  expect(project.beads.get("BC-112")?.priority).toBe(3);
  expect(project.beads.get("BC-101")?.priority).toBe(0);
  locked = false;
  await fireEvent.click(screen.getByRole("button", { name: "Try 1 bead again" }));
  await vi.waitUntil(() => project.beads.get("BC-101")?.priority === 3);
  expect(here.callsOf("bead.update").map(({ id }) => id)).toEqual(["BC-112", "BC-115", "BC-101"]);
});

it("undo reverts a change of several beads", async () => {
  const { project } = here;
  for (const id of ["BC-112", "BC-115"]) project.board.select(id);
  mounted(here, SelectionBar, {});
  await pickIn("Labels", /^ops/);
  await vi.waitUntil(() => project.beads.get("BC-115")?.labels.includes("ops"));
  await vi.waitUntil(() => project.edits.undo.last);
  expect(project.edits.undo.last?.text).toBe("Label ops added: 2 beads");
  await project.edits.undo.undo();
  expect(project.beads.get("BC-112")?.labels).toEqual(["auth"]);
  expect(project.beads.get("BC-115")?.labels).toEqual(["parser"]);
});

it("closes open beads with a typed reason", async () => {
  const { project } = here;
  for (const id of ["BC-112", "BC-088"]) project.board.select(id);
  mounted(here, SelectionBar, {});
  await fireEvent.click(within(bar()).getByRole("button", { name: "Close…" }));
  await fireEvent.input(screen.getByRole("combobox"), { target: { value: "Merged by hand" } });
  await fireEvent.keyDown(screen.getByRole("combobox"), { key: "Enter" });
  await vi.waitUntil(() => project.beads.get("BC-112")?.status === "closed");
  expect(here.callsOf("bead.close")).toEqual([{ id: "BC-112", reason: "Merged by hand" }]);
});
