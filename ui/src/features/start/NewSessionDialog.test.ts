import { fireEvent, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { expect, it, vi } from "vitest";
import { mounted, world } from "../../testing/mounted";
import { LOADING, READY } from "../../state/phase";
import NewSessionDialog from "./NewSessionDialog.svelte";

it("does not ask for the previews again when the beads are loaded", async () => {
  const here = await world();
  here.project.beads.phase = LOADING;
  mounted(here, NewSessionDialog, {});
  await fireEvent.input(screen.getByLabelText("Objective"), { target: { value: "Fix the parser" } });
  const start = screen.getByRole("button", { name: /^Start/ });
  await vi.waitUntil(() => here.callsOf("session.context_pack").at(-1)?.objective === "Fix the parser");
  await screen.findByText(/of 10,000 tokens/);
  const previews = () => [here.callsOf("session.plan").length, here.callsOf("session.context_pack").length];
  const before = previews();

  here.project.beads.phase = READY;
  await tick();
  await fireEvent.click(start);
  await vi.waitFor(() => expect(here.callsOf("session.start")).toHaveLength(1));
  expect(here.callsOf("session.start")[0]).toMatchObject({ objective: "Fix the parser" });
  expect(previews()).toEqual(before);
});

it("starts as soon as the preview is current if the user did not wait for it", async () => {
  const here = await world();
  mounted(here, NewSessionDialog, {});
  const objective = screen.getByLabelText("Objective");
  await fireEvent.input(objective, { target: { value: "Fix the parser" } });
  await fireEvent.keyDown(objective, { key: "Enter", ctrlKey: true });
  expect(here.callsOf("session.start")).toHaveLength(0);
  expect(screen.getByRole("button", { name: /^Start/ }).getAttribute("aria-busy")).toBe("true");
  await vi.waitFor(() => expect(here.callsOf("session.start")).toHaveLength(1));
  expect(here.callsOf("session.start")[0]).toMatchObject({ objective: "Fix the parser", context: "automatic" });
});

it("does not start if the text changes or the dialog closes while a start waits", async () => {
  for (const change of ["text", "close"]) {
    const here = await world();
    const { unmount } = mounted(here, NewSessionDialog, {});
    const objective = screen.getByLabelText("Objective");
    await fireEvent.input(objective, { target: { value: "Fix the parser" } });
    await fireEvent.keyDown(objective, { key: "Enter", ctrlKey: true });
    if (change === "close") unmount();
    else await fireEvent.input(objective, { target: { value: "Fix the parser and" } });
    const expected = change === "close" ? "Fix the parser" : "Fix the parser and";
    if (change === "text")
      await vi.waitUntil(() => here.callsOf("session.context_pack").at(-1)?.objective === expected);
    await new Promise((resolve) => setTimeout(resolve));
    expect(here.callsOf("session.start")).toHaveLength(0);
    if (change === "text") unmount();
  }
});
