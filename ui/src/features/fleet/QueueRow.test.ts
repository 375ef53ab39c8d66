import { fireEvent, screen, within } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import type { FleetQueueRow } from "../../generated/api";
import { madeQueue } from "../../platform/fake/fleet-made";
import { mounted, world } from "../../testing/mounted";
import QueueRow from "./QueueRow.svelte";

/** The second sample request, which is waiting. */
const ROW = madeQueue(Date.parse("2026-11-23T14:25:00Z"), false)[1] as FleetQueueRow;

async function shown(row: Partial<FleetQueueRow> = {}, position: number | null = 2) {
  const here = await world();
  const [onmove, onshow] = [vi.fn(), vi.fn()];
  mounted(here, QueueRow, { row: { ...ROW, ...row }, position, of: 3, shown: false, onshow, onmove });
  const main = screen.getByRole("button", { name: /Spans point at the right byte/ });
  return { ...here, main, onmove, onshow };
}

it("shows its position, title, branch and state", async () => {
  const { main, onshow } = await shown();
  expect(main.textContent?.replace(/\s+/g, " ").trim()).toBe(
    "2 Spans point at the right byte fix/BC-099-spans Pending",
  );
  await fireEvent.click(main);
  expect(onshow).toHaveBeenCalledOnce();
});

it("Alt and an arrow move a waiting request", async () => {
  const { main, onmove } = await shown();
  expect(main.getAttribute("aria-keyshortcuts")).toBe("Alt+ArrowUp Alt+ArrowDown");
  await fireEvent.keyDown(main, { key: "ArrowDown" });
  expect(onmove).not.toHaveBeenCalled();
  await fireEvent.keyDown(main, { key: "ArrowDown", altKey: true });
  await fireEvent.keyDown(main, { key: "ArrowUp", altKey: true });
  expect(onmove.mock.calls).toEqual([[1], [-1]]);
});

it("does not move a request that is being merged, and shows its step", async () => {
  const { main, onmove } = await shown({ status: "merging", stage: "check" });
  await fireEvent.keyDown(main, { key: "ArrowUp", altKey: true });
  expect(onmove).not.toHaveBeenCalled();
  expect(main.getAttribute("aria-keyshortcuts")).toBeNull();
  expect(main.textContent).toContain("Merging");
  const steps = within(screen.getByRole("list", { name: "Merge steps" }));
  const now = steps.getAllByRole("listitem").filter((step) => step.getAttribute("aria-current") === "step");
  expect(now.map((step) => step.textContent)).toEqual(["Check"]);
});

it("shows a skipped request as skipped", async () => {
  const { main } = await shown({ skipped: true });
  expect(main.textContent).toContain("Skipped");
  expect(main.textContent).not.toContain("Pending");
});

it("names a conflict", async () => {
  const { main } = await shown({ status: "conflicted" });
  expect(main.textContent).toMatch(/Conflict/);
});

it("shows a merged request with its commit and without a position", async () => {
  const merged = { status: "merged", since: "2026-11-23T14:20:00Z", commit: "0123456789abcdef" } as const;
  const { main } = await shown(merged, null);
  expect(main.textContent).toContain("as 0123456");
  expect(main.textContent).not.toContain("fix/BC-099-spans");
  expect(main.getAttribute("aria-keyshortcuts")).toBeNull();
});
