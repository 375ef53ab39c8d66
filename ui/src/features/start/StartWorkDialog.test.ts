import { fireEvent, screen } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import { CallError } from "../../platform";
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
  const message = "invalid branch name";
  const here = await world();
  const bead = here.project.beads.list.find(({ ready }) => ready)!;
  mounted(here, StartWorkDialog, { bead });
  const button = screen.getByRole("button", { name: /^Start Work/ });
  const field = screen.getByLabelText<HTMLInputElement>("Branch");
  await vi.waitFor(() => expect(field.value).not.toBe(""));
  await fireEvent.input(field, { target: { value: "" } });
  expect(button.hasAttribute("disabled")).toBe(true);
  const call = here.app.host.call.bind(here.app.host);
  vi.spyOn(here.app.host, "call").mockImplementation((method, ...rest) =>
    method === "session.plan"
      ? Promise.reject(CallError.from({ code: "branch_invalid", message }))
      : call(method, ...rest),
  );
  await fireEvent.input(field, { target: { value: "a..b" } });
  await fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
  expect(button.getAttribute("aria-busy")).toBe("true");
  await screen.findByText(/Invalid branch name/i);
  await vi.waitFor(() => expect(button.getAttribute("aria-busy")).toBe("false"));
  expect(button.hasAttribute("disabled")).toBe(true);
  expect(here.callsOf("session.start")).toHaveLength(0);
});
