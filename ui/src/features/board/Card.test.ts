import { fireEvent, screen, within } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import type { Bead, SessionState } from "../../generated/api";
import { mounted, world } from "../../testing/mounted";
import Card from "./Card.svelte";

async function shown(id: string, more: { cursor?: boolean; bead?: Partial<Bead>; state?: SessionState } = {}) {
  const here = await world();
  const bead = here.project.beads.get(id);
  if (!bead) throw new Error(`${id} is a bead of the sample project`);
  const session = here.project.sessions.ofBead.get(id);
  if (session && more.state) here.project.sessions.put({ ...session, state: more.state });
  mounted(here, Card, { bead: { ...bead, ...more.bead }, cursor: more.cursor ?? false });
  return { ...here, bead, card: screen.getByRole("article") };
}

it("shows the bead's ID, title, labels and people, and opens the bead", async () => {
  const { app, card } = await shown("BC-112");
  expect(card.getAttribute("aria-label")).toBe("BC-112, Rate-limit login by account and address");
  expect(within(card).getByText("auth")).toBeTruthy();
  expect(within(card).getByRole("img", { name: "Assigned to Mara Klein" }).textContent).toBe("MK");
  expect(within(card).getByTitle("Unblocks BC-145").textContent).toBe("1");
  await fireEvent.click(within(card).getByText("Rate-limit login by account and address"));
  expect(app.dialogs.bead).toBe("BC-112");
});

it("starts a ready bead from the button in its corner", async () => {
  const { app, card } = await shown("BC-112");
  await fireEvent.click(within(card).getByRole("button", { name: "Start work on BC-112" }));
  expect(app.dialogs.open).toMatchObject({ kind: "start-work", bead: "BC-112" });
});

it("replaces the corner button by a larger button and the menu under the cursor", async () => {
  const { card } = await shown("BC-112", { cursor: true });
  expect(within(card).queryByRole("button", { name: "Start work on BC-112" })).toBeNull();
  expect(within(card).getByRole("button", { name: /^Start Work/ })).toBeTruthy();
  expect(within(card).getByRole("button", { name: "More actions for BC-112" })).toBeTruthy();
});

it("shows why a bead is not ready, and leads to the blocker", async () => {
  const { app, card } = await shown("BC-118", { cursor: true });
  const why = within(card).getByTitle("Not ready. Blocked by BC-104 Rotate signing keys live (in progress).");
  expect(why.textContent).toMatch(/Blocked by\s+BC-104 Rotate signing keys live\s*in progress/);
  await fireEvent.click(why);
  expect(app.dialogs.bead).toBe("BC-104");
  expect(within(card).queryByRole("button", { name: /Start/ })).toBeNull();
});

it("names a status that has no column, in the tracker's words", async () => {
  const { card } = await shown("BC-131");
  expect(within(card).getByText("Assigned to rig/polecat-4f1c")).toBeTruthy();
});

it("reviews and approves work in review", async () => {
  const { app, card } = await shown("BC-102");
  await fireEvent.click(within(card).getByRole("button", { name: "Approve BC-102" }));
  expect(app.dialogs.open).toEqual({ kind: "bead-reason", act: "approve", beads: ["BC-102"] });
  await fireEvent.click(within(card).getByRole("button", { name: "Review BC-102" }));
  await vi.waitFor(() => expect(app.dialogs.fleet ?? app.dialogs.bead ?? app.project?.layout.session).toBeTruthy());
});

it("shows a badge on a stale bead until the badge is dismissed", async () => {
  const here = await world({}, { with: "stale" });
  await here.project.stale.reload();
  const bead = here.project.beads.get("BC-107");
  if (!bead) throw new Error("BC-107 is a bead of the sample project");
  mounted(here, Card, { bead, cursor: false });
  expect(screen.getByText(/^Very stale\s+9h 00m$/)).toBeTruthy();
  here.project.stale.dismiss("BC-107", here.app.clock.now);
  await vi.waitFor(() => expect(screen.queryByText(/stale/)).toBeNull());
});

it("shows that a session's turn is over, and opens the session", async () => {
  const { project, card } = await shown("BC-111", { state: "your_turn" });
  const strip = within(card).getByRole("button", { name: "Your turn, open the session" });
  await fireEvent.click(strip);
  expect(project.layout.session).toBe(project.sessions.ofBead.get("BC-111")?.id);
});

it("resumes a session that stopped", async () => {
  const { card } = await shown("BC-111", { state: "interrupted" });
  expect(within(card).getByText("Interrupted")).toBeTruthy();
  expect(within(card).getByRole("button", { name: "Resume" })).toBeTruthy();
});

it("shows a checkbox instead of the type for a selected bead", async () => {
  const here = await world();
  const bead = here.project.beads.get("BC-112");
  if (!bead) throw new Error("BC-112 is a bead of the sample project");
  here.project.board.select("BC-112");
  mounted(here, Card, { bead, cursor: false });
  await fireEvent.click(screen.getByRole("checkbox", { name: "Selected" }));
  expect(here.project.board.selected.has("BC-112")).toBe(false);
});
