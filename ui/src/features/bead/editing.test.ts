import { fireEvent, screen, within } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import { CallError } from "../../platform";
import { mounted, world, type World } from "../../testing/mounted";
import BeadSheet from "../board/BeadSheet.svelte";

const ID = "BC-121";
const TITLE = "Move session cookies to the __Host- prefix";

async function sheet(refused: Parameters<typeof world>[0] = {}, id = ID): Promise<World> {
  const here = await world(refused);
  await vi.waitUntil(() => here.project.edits.capabilities);
  mounted(here, BeadSheet, { id });
  await screen.findByRole("button", { name: /^Status:/ });
  return here;
}

/** Changes the bead as another program would. */
async function elsewhere({ app, project }: World, change: { title?: string; priority?: number; description?: string }) {
  await app.host.call("bead.update", { id: ID, change, actor: "ann" }, project.key);
}

async function editTitle(text: string): Promise<HTMLElement> {
  await fireEvent.click(screen.getByRole("button", { name: TITLE }));
  const field = await screen.findByRole("textbox", { name: "Title" });
  await fireEvent.input(field, { target: { value: text } });
  return field;
}

it("saves a title with Enter, as one command against the version on screen", async () => {
  const here = await sheet();
  const version = here.project.beads.get(ID)?.updated_at;
  await fireEvent.keyDown(await editTitle("Prefix the cookies"), { key: "Enter" });
  expect(await screen.findByRole("button", { name: "Prefix the cookies" })).toBeTruthy();
  await vi.waitUntil(() => here.app.toasts.list.some(({ text }) => text === "BC-121: title changed"));
  expect(here.callsOf("bead.update")).toEqual([{ id: ID, change: { title: "Prefix the cookies" }, expected: version }]);
  expect(here.project.beads.get(ID)?.title).toBe("Prefix the cookies");
});

it("discards a title with Escape, and brings the text back on request", async () => {
  const here = await sheet();
  await fireEvent.keyDown(await editTitle("Prefix the cookies"), { key: "Escape" });
  expect(await screen.findByRole("button", { name: TITLE })).toBeTruthy();
  expect(here.callsOf("bead.update")).toEqual([]);
  here.app.toasts.list.find(({ action }) => action?.label === "Restore text")?.action?.run();
  expect(await screen.findByDisplayValue("Prefix the cookies")).toBeTruthy();
});

it("does not save an empty or an overlong title", async () => {
  const here = await sheet();
  const field = await editTitle("  ");
  await fireEvent.keyDown(field, { key: "Enter" });
  expect(await screen.findByText("Enter a title.")).toBeTruthy();
  await fireEvent.input(field, { target: { value: "漢".repeat(501) } });
  await fireEvent.keyDown(field, { key: "Enter" });
  expect(await screen.findByText("Titles are limited to 500 characters; this one has 501.")).toBeTruthy();
  expect(here.callsOf("bead.update")).toEqual([]);
});

it("shows a change at once, and reverts it with the reason if the tracker refuses it", async () => {
  let refuse: (error: Error) => void = () => {};
  const here = await sheet();
  const call = here.project.edits;
  const pending = new Promise<never>((_, reject) => (refuse = reject));
  vi.spyOn(here.app.host, "call").mockImplementation((method) => {
    if (method === "bead.update") return pending;
    return new Promise<never>(() => {});
  });
  await fireEvent.click(screen.getByRole("button", { name: "Priority: P2 Medium" }));
  await fireEvent.click(await screen.findByText("Critical"));
  expect(await screen.findByRole("button", { name: "Priority: P0 Critical" })).toBeTruthy();
  expect(here.project.beads.get(ID)?.priority).toBe(0);
  refuse(new CallError("tracker_failed", "the database is locked"));
  expect(await screen.findByRole("button", { name: "Priority: P2 Medium" })).toBeTruthy();
  await vi.waitUntil(() => here.app.toasts.list.some(({ text }) => text === "the database is locked"));
  expect(call.undo.last).toBeUndefined();
});

it("keeps a refused text in its field", async () => {
  const error = new CallError("tracker_failed", "the database is locked");
  await sheet({ "bead.update": error });
  await fireEvent.keyDown(await editTitle("Prefix the cookies"), { key: "Enter" });
  expect(await screen.findByText("the database is locked")).toBeTruthy();
  expect(screen.getByDisplayValue("Prefix the cookies")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
});

it("never overwrites a title that was changed elsewhere, and offers both versions", async () => {
  const here = await sheet();
  const field = await editTitle("Prefix the cookies");
  await elsewhere(here, { title: "Use __Host- cookies" });
  expect(await screen.findByText("ann")).toBeTruthy();
  await fireEvent.keyDown(field, { key: "Enter" });
  expect(here.callsOf("bead.update").filter(({ actor }) => actor !== "ann")).toEqual([]);
  await fireEvent.click(screen.getByRole("button", { name: "Show both" }));
  const both = await screen.findByRole("dialog", { name: "Two versions of BC-121" });
  expect(within(both).getByText("Prefix the cookies")).toBeTruthy();
  expect(within(both).getByText("Use __Host- cookies")).toBeTruthy();
  await fireEvent.click(within(both).getByRole("button", { name: "Keep mine" }));
  await vi.waitUntil(() => here.project.beads.get(ID)?.title === "Prefix the cookies");
});

it("takes the other version on request", async () => {
  const here = await sheet();
  await editTitle("Prefix the cookies");
  await elsewhere(here, { title: "Use __Host- cookies" });
  await fireEvent.click(await screen.findByRole("button", { name: "Take theirs" }));
  expect(await screen.findByRole("button", { name: "Use __Host- cookies" })).toBeTruthy();
  expect(here.callsOf("bead.update").filter(({ actor }) => actor !== "ann")).toEqual([]);
});

it("saves a field although another field was changed elsewhere", async () => {
  const here = await sheet();
  const field = await editTitle("Prefix the cookies");
  await elsewhere(here, { priority: 0 });
  expect(await screen.findByRole("button", { name: "Dismiss" })).toBeTruthy();
  await fireEvent.keyDown(field, { key: "Enter" });
  await vi.waitUntil(() => here.project.beads.get(ID)?.title === "Prefix the cookies");
  expect(here.project.beads.get(ID)?.priority).toBe(0);
});

it("changes the source when a task is clicked", async () => {
  const here = await sheet();
  const task = await screen.findByRole("checkbox", { name: "Read both names for one release" });
  expect(task.getAttribute("aria-checked")).toBe("false");
  expect(screen.getByText("2 of 4 done")).toBeTruthy();
  await fireEvent.click(task);
  expect(await screen.findByText("3 of 4 done")).toBeTruthy();
  await vi.waitUntil(() => here.callsOf("bead.update").length > 0);
  expect(here.callsOf("bead.update")[0]?.change.description).toContain(
    "- [x] Read both names for one release\n- [ ] Drop the old name",
  );
});

it("completes a label from those in use", async () => {
  const here = await sheet();
  const field = screen.getByRole("combobox", { name: "Labels" });
  await fireEvent.focusIn(field);
  await fireEvent.input(field, { target: { value: "par" } });
  expect(await screen.findByRole("option", { name: /^parser/ })).toBeTruthy();
  expect(screen.getByRole("option", { name: /^Create/ }).textContent).toContain("Create “par”");
  await fireEvent.keyDown(field, { key: "Enter" });
  expect(await screen.findByRole("button", { name: "Remove label parser" })).toBeTruthy();
  await vi.waitUntil(() => here.project.beads.get(ID)?.labels.includes("parser"));
  expect(here.callsOf("bead.update").map(({ change }) => change)).toEqual([{ add_labels: ["parser"] }]);
});

it("undoes a change, unless the bead was changed since", async () => {
  const here = await sheet();
  const { undo } = here.project.edits;
  await fireEvent.keyDown(await editTitle("Prefix the cookies"), { key: "Enter" });
  await vi.waitUntil(() => undo.last);
  await undo.undo();
  await vi.waitUntil(() => here.project.beads.get(ID)?.title === TITLE);
  expect(undo.last).toBeUndefined();

  await here.project.edits.change(ID, { priority: 1 });
  await elsewhere(here, { title: "Use __Host- cookies" });
  await undo.undo();
  const said = "BC-121 was changed since. The change was not undone.";
  await vi.waitUntil(() => here.app.toasts.list.some(({ text }) => text === said));
  expect(here.project.beads.get(ID)?.priority).toBe(1);
});

it("refuses a cycle before the tracker is asked", async () => {
  const here = await sheet();
  const group = screen.getByRole("region", { name: "Unblocks" });
  await fireEvent.click(within(group).getByRole("button", { name: "Add dependency" }));
  const field = await within(group).findByRole("combobox", { name: "Add dependency" });
  await fireEvent.focusIn(field);
  await fireEvent.input(field, { target: { value: "BC-097" } });
  const option = await within(group).findByRole("option", { name: /Closes a cycle: BC-097 → BC-121 → BC-097$/ });
  await fireEvent.click(option);
  expect(here.callsOf("bead.dep_add")).toEqual([]);
});

it("adds and removes a dependency, and shows it at once", async () => {
  const here = await sheet();
  const group = () => screen.getByRole("region", { name: "Blocked by" });
  await fireEvent.click(within(group()).getByRole("button", { name: "Add dependency" }));
  const field = await within(group()).findByRole("combobox", { name: "Add dependency" });
  await fireEvent.focusIn(field);
  await fireEvent.input(field, { target: { value: "content hash" } });
  await fireEvent.keyDown(field, { key: "Enter" });
  const remove = await within(group()).findByRole("button", { name: "Remove dependency on BC-115" });
  expect(here.callsOf("bead.dep_add")).toEqual([{ id: ID, depends_on: "BC-115", kind: "blocks" }]);
  await fireEvent.click(remove);
  await vi.waitUntil(() => within(group()).queryByText("BC-115") === null);
});

it("keeps the text when the bead is deleted elsewhere", async () => {
  const here = await sheet();
  await editTitle("Prefix the cookies");
  await here.app.host.call("bead.delete", { id: ID }, here.project.key);
  expect(await screen.findByText(/BC-121 was deleted elsewhere\.\s+Your text is still here\./)).toBeTruthy();
  expect(screen.getByDisplayValue("Prefix the cookies")).toBeTruthy();
  await fireEvent.click(screen.getByRole("button", { name: "Restore BC-121" }));
  await vi.waitUntil(() => here.project.beads.get(ID));
});

it("writes a comment, and keeps it if it cannot be sent", async () => {
  const here = await sheet();
  const field = screen.getByRole("textbox", { name: "Write a comment" });
  await fireEvent.input(field, { target: { value: "Also on localhost." } });
  await fireEvent.click(screen.getByRole("button", { name: "Comment" }));
  expect(await screen.findByText("Also on localhost.")).toBeTruthy();
  expect(here.callsOf("bead.comment")).toEqual([{ id: ID, text: "Also on localhost." }]);
  await vi.waitUntil(() => (field as HTMLTextAreaElement).value === "");
});

it("shows who changed what", async () => {
  const here = await sheet();
  await elsewhere(here, { priority: 0 });
  await fireEvent.click(screen.getByRole("button", { name: "History" }));
  const history = screen.getByRole("region", { name: "History" });
  expect((await within(history).findByText("ann")).parentElement?.textContent).toBe(
    "ann changed the priority from P2 to P0",
  );
});

it("edits nothing in a read-only tracker, and shows the reason once", async () => {
  const here = await world();
  here.project.edits.capabilities = {
    ...(await here.project.call("bead.capabilities", {})),
    read_only: "This copy cannot be changed here.",
  };
  mounted(here, BeadSheet, { id: ID });
  expect(await screen.findByRole("heading", { name: TITLE })).toBeTruthy();
  expect(screen.getAllByText("This copy cannot be changed here.")).toHaveLength(1);
  expect(screen.queryByRole("button", { name: TITLE })).toBeNull();
  expect(screen.queryByRole("button", { name: /^Status/ })).toBeNull();
  expect(screen.queryByRole("textbox", { name: "Write a comment" })).toBeNull();
});
