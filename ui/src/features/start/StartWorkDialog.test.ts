import { fireEvent, screen } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import { mounted, world } from "../../testing/mounted";
import StartWorkDialog from "./StartWorkDialog.svelte";

it("starts with the default branch if the user did not wait for it", async () => {
  const here = await world();
  const bead = here.project.beads.list.find(({ ready }) => ready)!;
  mounted(here, StartWorkDialog, { bead });
  await fireEvent.click(screen.getByRole("button", { name: /^Start Work/ }));
  expect(here.callsOf("session.start")).toHaveLength(0);
  await vi.waitFor(() => expect(here.callsOf("session.start")).toHaveLength(1));
  expect(here.callsOf("session.start")[0]).toMatchObject({ bead_id: bead.id, branch: expect.stringMatching(/./) });
});

it("does not start with a branch that turns out to be wrong", async () => {
  const here = await world();
  const bead = here.project.beads.list.find(({ ready }) => ready)!;
  mounted(here, StartWorkDialog, { bead });
  const field = screen.getByLabelText<HTMLInputElement>("Branch");
  await vi.waitFor(() => expect(field.value).not.toBe(""));
  await fireEvent.input(field, { target: { value: "" } });
  await fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
  await screen.findByText("Enter a branch name.");
  await vi.waitFor(() =>
    expect(screen.getByRole("button", { name: /^Start Work/ }).getAttribute("aria-busy")).toBe("false"),
  );
  expect(here.callsOf("session.start")).toHaveLength(0);
});
