import { fireEvent, screen, within } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import { mounted, world } from "../../testing/mounted";
import InboxView from "./InboxView.svelte";

async function shown(options: Record<string, string> = { with: "inbox" }) {
  const here = await world({}, options);
  await vi.waitFor(() => expect(here.app.projects.every(({ key }) => here.app.waitingIn(key) > 0)).toBe(true));
  mounted(here, InboxView, {});
  const group = (name: RegExp) => screen.getByRole("region", { name });
  return { ...here, group };
}

it("lists the needs of all open projects by kind, and filters them by project or kind", async () => {
  const { app, group } = await shown();
  const names = screen.getAllByRole("region").map((region) => region.getAttribute("aria-label"));
  expect(names.slice(0, 3)).toEqual(["Permissions: 2", "Questions: 1", "Plans: 1"]);
  expect(within(group(/^Permissions/)).getByText("sundial")).toBeTruthy();
  await fireEvent.click(screen.getByRole("radio", { name: /^gatehouse/ }));
  expect(within(group(/^Permissions: 1/)).queryByText("sundial")).toBeNull();
  app.inbox.kind = "plan";
  await vi.waitFor(() => expect(screen.getByText("Nothing needs you")).toBeTruthy());
  await fireEvent.click(screen.getByRole("button", { name: "Show all" }));
  expect(group(/^Permissions: 2/)).toBeTruthy();
});

it("allows, denies and answers in place, with keys on the row that has the focus", async () => {
  const { callsOf, group, project } = await shown();
  const answers = () => callsOf("session.permission").map(({ answer, answers }) => ({ answer, answers }));
  const asks = within(group(/^Permissions/)).getByRole("button", { name: /git push/ });
  asks.focus();
  await fireEvent.keyDown(asks, { key: "n" });
  const reason = screen.getByRole("textbox", { name: "Reason" });
  await fireEvent.input(reason, { target: { value: "first line\nsecond" } });
  await fireEvent.keyDown(reason, { key: "Escape" });
  expect(answers()).toEqual([]);
  // A second later, the rows count as settled. A fixed clock makes the test independent of its speed.
  const now = performance.now() + 1_000;
  const clock = vi.spyOn(performance, "now").mockReturnValue(now);
  await fireEvent.keyDown(asks, { key: "y", repeat: true });
  await fireEvent.keyDown(asks, { key: "y" });
  await vi.waitFor(() => expect(answers()).toEqual([{ answer: "allow", answers: undefined }]));

  // The rows have moved, so an immediate click is ignored.
  await vi.waitFor(() => expect(group(/^Permissions: 1/)).toBeTruthy());
  const kms = within(group(/^Questions/)).getByRole("button", { name: /^KMS/ });
  await fireEvent.click(kms);
  expect(answers()).toHaveLength(1);
  clock.mockReturnValue(now + 1_000);
  await fireEvent.click(kms);
  const chosen = [{ question: "Which key store to use?", chosen: ["KMS"] }];
  await vi.waitFor(() => expect(answers()[1]).toEqual({ answer: "allow", answers: chosen }));
  expect(project.layout.session, "nothing is opened").toBeNull();
});

it("arrow keys start at the first row, even from a tab; only the current row has a solid button", async () => {
  const { group } = await shown();
  const tabs = document.createElement("div");
  tabs.innerHTML = '<div role="tablist"><button role="tab">Needs you</button></div>';
  document.body.append(tabs);
  const solid = () => screen.getAllByRole("button").filter((one) => one.classList.contains("solid"));
  const rows = () => [...document.querySelectorAll<HTMLElement>("[data-need]")];
  expect(solid()).toHaveLength(1);
  await fireEvent.keyDown(tabs.querySelector("button") as HTMLElement, { key: "ArrowDown" });
  expect(document.activeElement).toBe(rows()[0]);
  await fireEvent.keyDown(rows()[0] as HTMLElement, { key: "ArrowDown" });
  expect(document.activeElement).toBe(rows()[1]);
  await vi.waitFor(() => expect(solid()).toHaveLength(1));
  expect(
    rows()[1]
      ?.closest("li")
      ?.contains(solid()[0] as HTMLElement),
  ).toBe(true);
  expect(group(/^Permissions/)).toBeTruthy();
  tabs.remove();
});

it("opens the session of a row, in its project", async () => {
  const { app, group } = await shown();
  await fireEvent.click(within(group(/^Plans/)).getByRole("button", { name: /Rotate the signing keys/ }));
  expect(app.project?.key).toBe("sundial");
  expect(app.project?.layout.session).toBe("5e55100d-0000-4000-8000-000000000000");
});
