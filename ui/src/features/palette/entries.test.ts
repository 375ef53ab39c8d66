import { expect, it, vi } from "vitest";
import { world } from "../../testing/mounted";
import { entriesOf } from "./entries";
import { best } from "./search";

it("finds beads of all open projects, the current one's first and closed ones last", async () => {
  const { app } = await world();
  for (const other of app.opened) other.loadForSearch();
  const other = app.opened[1];
  if (!other) throw new Error("the sample has two projects");
  await vi.waitFor(() => expect(other.beads.list.length).toBeGreaterThan(0));
  const found = best(entriesOf(app, "token"), "token", 60).filter(({ group }) => group === "Beads");
  const names = found.map(({ more }) => more);
  expect(names[0]).toMatch(/^BC-\d+ .* · gatehouse$/);
  expect(names.some((more) => more.endsWith("· sundial"))).toBe(true);
  const closed = found.map(({ last }) => last === true);
  expect(closed, "open ones first").toEqual([...closed].sort((a, b) => Number(a) - Number(b)));

  found.find(({ more }) => more.endsWith("· sundial"))?.run();
  expect(app.project?.key).toBe("sundial");
  expect(app.dialogs.bead).toMatch(/^BC-/);
});

it("builds the entries of a list once", async () => {
  const { app, project } = await world();
  const first = entriesOf(app, "a").filter(({ group }) => group === "Beads");
  const again = entriesOf(app, "ab").filter(({ group }) => group === "Beads");
  expect(first[0]).toBe(again[0]);
  await project.beads.reload();
  expect(entriesOf(app, "ab").filter(({ group }) => group === "Beads")[0], "nothing changed").toBe(first[0]);
  const id = project.beads.list[0]?.id;
  if (!id) throw new Error("the sample has beads");
  await app.host.call("bead.update", { id, change: { title: "Another title" } }, project.key);
  await project.beads.reload();
  expect(entriesOf(app, "ab").filter(({ group }) => group === "Beads")[0]).not.toBe(first[0]);
});
