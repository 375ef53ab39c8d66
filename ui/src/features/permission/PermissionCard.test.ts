import { fireEvent, screen } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import { Permissions } from "../../state/permission.svelte";
import { CallError } from "../../platform";
import { mounted, world } from "../../testing/mounted";
import PermissionCard from "./PermissionCard.svelte";

const COMMAND = "git push --set-upstream origin feat/BC-097-login";

async function showCard(refused: Parameters<typeof world>[0] = {}) {
  const here = await world(refused);
  const { app, project } = here;
  const session = project.sessions.list.find((one) => one.live?.permissions.some(({ tool }) => tool === "Bash"));
  const request = session?.live?.permissions.find(({ tool }) => tool === "Bash");
  if (!session || !request) throw new Error("a session of the sample project asks to run a command");
  const permissions = new Permissions(app, project);
  const onleave = vi.fn();
  mounted(here, PermissionCard, { session, request, behind: 2, permissions, onterminal: vi.fn(), onleave });
  const answers = () => here.callsOf("session.permission").map(({ answer, message }) => ({ answer, message }));
  const card = screen.getByRole("region");
  return { ...here, session, request, card, answers };
}

it("shows the whole command, the agent that asks, and the number of further requests", async () => {
  const { card } = await showCard();
  expect(screen.getByLabelText("What would run").textContent).toBe(COMMAND);
  expect(screen.getByText("Publish the branch for review")).toBeTruthy();
  expect(card.textContent).toContain("2 more");
});

it("Allow once allows exactly this request, once", async () => {
  const { session, request, callsOf } = await showCard();
  const button = screen.getByRole("button", { name: /^Allow once/ });
  await fireEvent.click(button);
  await fireEvent.click(button);
  expect(callsOf("session.permission")).toEqual([
    { id: session.id, request: request.id, answer: "allow", message: null },
  ]);
});

it("Deny asks for a reason and sends it", async () => {
  const { answers } = await showCard();
  await fireEvent.click(screen.getByRole("button", { name: /^Deny/ }));
  expect(answers()).toEqual([]);
  await fireEvent.input(screen.getByRole("textbox"), { target: { value: "Push to my fork" } });
  await fireEvent.click(screen.getByRole("button", { name: /^Deny/ }));
  expect(answers()).toEqual([{ answer: "deny", message: "Push to my fork" }]);
});

it("Always shows the rules before it allows them", async () => {
  const { answers } = await showCard();
  await fireEvent.click(screen.getByRole("button", { name: /^Always/ }));
  expect(answers()).toEqual([]);
  expect(screen.getByText("Bash(git push *)")).toBeTruthy();
});

it("Y allows and N starts a denial, but not with Ctrl or while a key repeats", async () => {
  const { card, answers } = await showCard();
  await fireEvent.keyDown(card, { key: "y", ctrlKey: true });
  await fireEvent.keyDown(card, { key: "y", repeat: true });
  expect(answers()).toEqual([]);
  await fireEvent.keyDown(card, { key: "n" });
  expect(screen.getByRole("textbox")).toBeTruthy();
  // In the reason, Y is a letter.
  await fireEvent.keyDown(screen.getByRole("textbox"), { key: "y" });
  expect(answers()).toEqual([]);
});

it("an answer that failed to arrive can be given again", async () => {
  const error = new CallError("io", "The session's host does not answer");
  const { app, card, answers } = await showCard({ "session.permission": error });
  await fireEvent.keyDown(card, { key: "y" });
  await vi.waitFor(() => expect(app.toasts.list.map(({ text }) => text)).toEqual([error.message]));
  await fireEvent.keyDown(card, { key: "y" });
  expect(answers()).toHaveLength(2);
});
