import { fireEvent, screen, within } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { MENU } from "../../components/menu-part";
import { CallError } from "../../platform";
import { mounted, world, type World } from "../../testing/mounted";
import ReasonDialog from "../bead/ReasonDialog.svelte";
import BoardView from "./BoardView.svelte";
import { move } from "./move-actions";

// jsdom has no layout, so elements get a size; without one, a list would render no rows.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(200);
  Element.prototype.scrollIntoView = () => {};
  Element.prototype.scrollTo = () => {};
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe(): void {}
      unobserve(): void {}
      disconnect(): void {}
    },
  );
});

const bead = ({ project }: World, id: string) => {
  const found = project.beads.get(id);
  if (!found) throw new Error(`${id} is a bead of the sample project`);
  return found;
};
const column = (name: string) => screen.getByRole("region", { name: new RegExp(`^${name}, `) });
const statusOf = ({ project }: World, id: string) => project.beads.get(id)?.status;

it("moves a ready bead at once; if the tracker refuses, moves it back and shows the reason", async () => {
  const here = await world({ "bead.claim": new Error("BC-115 is claimed by mara") });
  move(here.app, here.project, bead(here, "BC-115"), "in_progress");
  expect(statusOf(here, "BC-115")).toBe("in_progress");
  await vi.waitFor(() => expect(statusOf(here, "BC-115")).toBe("open"));
  expect(here.app.toasts.list.map(({ kind, text }) => [kind, text])).toEqual([["error", "BC-115 is claimed by mara"]]);
});

it("says why a bead does not move", async () => {
  const here = await world();
  move(here.app, here.project, bead(here, "BC-115"), "in_review");
  expect(here.app.toasts.list[0]?.text).toBe("BC-115 cannot move to In review: Needs a commit first");
  expect(here.callsOf("bead.submit")).toEqual([]);
});

it("releases a bead, and undoes that", async () => {
  const here = await world();
  here.project.sessions.remove(here.project.sessions.ofBead.get("BC-109")?.id ?? "");
  move(here.app, here.project, bead(here, "BC-109"), "ready");
  await vi.waitFor(() => expect(here.callsOf("bead.update")).toHaveLength(1));
  expect(here.callsOf("bead.update")[0]?.change).toEqual({ status: "open", assignee: "" });
  await vi.waitFor(() => expect(here.app.toasts.list[0]?.action?.label).toBe("Undo"));
  await here.project.edits.undo.undo();
  await vi.waitFor(() =>
    expect(bead(here, "BC-109")).toMatchObject({ status: "in_progress", assignee: "dv/5e551004" }),
  );
});

it("closes with a reason, and offers the next bead", async () => {
  const here = await world();
  move(here.app, here.project, bead(here, "BC-115"), "closed");
  expect(here.app.dialogs.open).toEqual({ kind: "bead-reason", act: "close", beads: ["BC-115"] });
  mounted(here, ReasonDialog, { act: "close", beads: ["BC-115"] });
  await fireEvent.input(screen.getByLabelText(/^Reason/), { target: { value: "Not needed" } });
  await fireEvent.click(screen.getByRole("button", { name: /^Close\s*Ctrl/ }));
  await vi.waitFor(() => expect(here.callsOf("bead.close")).toEqual([{ id: "BC-115", reason: "Not needed" }]));
  await vi.waitFor(() => expect(here.project.next.after).toBe("BC-115"));
  expect(here.callsOf("bead.next")).toEqual([{ after: "BC-115", limit: 5 }]);
});

it("asks for the changes before it requests them, and for a reason before it approves", async () => {
  const here = await world();
  move(here.app, here.project, bead(here, "BC-102"), "in_progress");
  expect(here.app.dialogs.open).toEqual({ kind: "bead-reason", act: "reject", beads: ["BC-102"] });
  move(here.app, here.project, bead(here, "BC-102"), "closed");
  expect(here.app.dialogs.open).toEqual({ kind: "bead-reason", act: "approve", beads: ["BC-102"] });
});

it("submits work without a commit only after the user agrees", async () => {
  const refused = new CallError("commit_missing", "No commit names BC-109.");
  const here = await world({ "bead.submit": refused });
  here.project.sessions.remove(here.project.sessions.ofBead.get("BC-109")?.id ?? "");
  move(here.app, here.project, bead(here, "BC-109"), "in_review");
  await vi.waitFor(() => expect(here.app.dialogs.open?.kind).toBe("confirm"));
  expect(statusOf(here, "BC-109")).toBe("in_progress");
  const { open } = here.app.dialogs;
  if (open?.kind === "confirm") open.run();
  await vi.waitFor(() => expect(here.callsOf("bead.submit").map((call) => call.without_commit)).toEqual([false, true]));
});

it("marks a column over its limit, and blocks nothing", async () => {
  const here = await world();
  here.project.layout.setBoard({ limits: { in_progress: 4, ready: 20 } });
  mounted(here, BoardView, {});
  const over = within(column("In progress")).getByTitle("5 beads, over the limit of 4");
  expect([over.textContent, over.className]).toEqual(["5/4over the limit", expect.stringContaining("over")]);
  expect(within(column("Ready")).getByTitle("8 of at most 20 beads").textContent).toBe("8/20");
  move(here.app, here.project, bead(here, "BC-115"), "in_progress");
  await vi.waitFor(() => expect(statusOf(here, "BC-115")).toBe("in_progress"));
});

it("hides and collapses columns, and moves beads only between visible ones", async () => {
  const here = await world();
  here.project.layout.setBoard({ hidden: ["in_progress"], collapsed: ["closed"] });
  mounted(here, BoardView, {});
  expect(screen.queryByRole("region", { name: /^In progress/ })).toBeNull();
  expect(screen.getByRole("button", { name: /Closed: expand the column/ })).toBeTruthy();
  here.project.board.cursor = "BC-115";
  here.app.run("board.move_right");
  expect(here.app.toasts.list[0]?.text).toBe("BC-115 cannot move to In review: Needs a commit first");
});

it("moves the bead under the cursor by key, and keeps the cursor on it", async () => {
  const here = await world();
  mounted(here, BoardView, {});
  here.project.board.cursor = "BC-115";
  here.app.run("board.move_right");
  await vi.waitFor(() => expect(here.callsOf("bead.claim")).toEqual([{ id: "BC-115" }]));
  expect([here.project.board.place?.bead.id, here.project.board.place?.column]).toEqual(["BC-115", "in_progress"]);
});

it("has a menu on every card, with the reasons for invalid moves", async () => {
  await MENU.want();
  const here = await world();
  mounted(here, BoardView, {});
  here.project.board.cursor = "BC-093";
  here.app.run("board.menu");
  const menu = await screen.findByRole("menu");
  const item = (name: RegExp) => within(menu).getByRole("menuitem", { name });
  expect(item(/^Approve/)).toBeTruthy();
  expect(item(/^Ready.*Request changes first/).getAttribute("aria-disabled")).toBe("true");
  // The digit chooses the column.
  await fireEvent.keyDown(item(/^Open/), { key: "3" });
  expect(here.app.dialogs.open).toEqual({ kind: "bead-reason", act: "reject", beads: ["BC-093"] });
});

it("an action that failed for one bead is repeated only for that bead", async () => {
  const here = await world();
  const [first, second] = here.project.beads.columns.in_review.map(({ id }) => id);
  const call = here.app.host.call.bind(here.app.host) as (...args: unknown[]) => Promise<never>;
  const sent: unknown[] = [];
  let refuses = true;
  vi.spyOn(here.app.host, "call").mockImplementation((method, params, ...rest) => {
    if (method !== "bead.reject") return call(method, params, ...rest);
    const { id } = params as { id: string };
    sent.push(id);
    if (id === second && refuses) return Promise.reject(CallError.from({ code: "io", message: "no space" }));
    return call(method, params, ...rest);
  });
  mounted(here, ReasonDialog, { act: "reject", beads: [first!, second!] });
  await fireEvent.input(screen.getByRole("textbox"), { target: { value: "Tests are missing" } });
  const button = screen.getByRole("button", { name: /^Request changes/ });
  await fireEvent.click(button);
  await screen.findByRole("alert");
  refuses = false;
  await fireEvent.click(button);
  await vi.waitFor(() => expect(sent).toEqual([first, second, second]));
});
