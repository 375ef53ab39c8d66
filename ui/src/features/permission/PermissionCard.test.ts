import { fireEvent, screen } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import type { PermissionRequest } from "../../generated/api";
import { Permissions } from "../../state/permission.svelte";
import { CallError } from "../../platform";
import { mounted, world } from "../../testing/mounted";
import PermissionCard from "./PermissionCard.svelte";

const COMMAND = "git push --set-upstream origin feat/BC-097-login";

async function showCard(refused: Parameters<typeof world>[0] = {}, command = COMMAND) {
  const here = await world(refused);
  const { app, project } = here;
  const session = project.sessions.list.find((one) => one.live?.permissions.some(({ tool }) => tool === "Bash"));
  const found = session?.live?.permissions.find(({ tool }) => tool === "Bash");
  const request = found && { ...found, input: { ...(found.input as Record<string, unknown>), command } };
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

it("names zero-width and bidirectional characters of the command", async () => {
  await showCard({}, "rm -rf \u202e/\u200bhome # \u2066safe");
  expect(screen.getByLabelText("What would run").textContent).toBe("rm -rf ⟨U+202E⟩/⟨U+200B⟩home # ⟨U+2066⟩safe");
});

it("sends a reason of 10 KB with quotes and lines as it was written", async () => {
  const { answers } = await showCard();
  const reason = `Say "no", 'never' and \`not\`\n`.repeat(400).trim();
  await fireEvent.click(screen.getByRole("button", { name: /^Deny/ }));
  await fireEvent.input(screen.getByRole("textbox"), { target: { value: reason } });
  await fireEvent.click(screen.getByRole("button", { name: /^Deny/ }));
  expect(reason.length).toBeGreaterThan(10_000);
  expect(answers()).toEqual([{ answer: "deny", message: reason }]);
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
  // In the field for the reason, Y is just a letter.
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

/** Shows the card of the request in the sample `with=plan` or `with=questions`. */
async function showOther(what: "plan" | "questions", changes: Partial<PermissionRequest> = {}) {
  const here = await world({}, { with: what });
  const { app, project } = here;
  const tool = what === "plan" ? "ExitPlanMode" : "AskUserQuestion";
  const session = project.sessions.list.find((one) => one.live?.permissions.some((request) => request.tool === tool));
  const made = session?.live?.permissions[0];
  if (!session || !made) throw new Error(`a session of the sample project has a request of ${tool}`);
  const request = { ...made, ...changes };
  const permissions = new Permissions(app, project);
  const onterminal = vi.fn();
  mounted(here, PermissionCard, { session, request, behind: 0, permissions, onterminal, onleave: vi.fn() });
  const answers = () => here.callsOf("session.permission").map(({ id: _id, request: _request, ...answer }) => answer);
  return { ...here, card: screen.getByRole("region"), onterminal, answers };
}

it("a plan is sent back with remarks on its lines, which survive the card", async () => {
  const { answers, project } = await showOther("plan");
  await fireEvent.click(screen.getByRole("button", { name: "Remark on line 4" }));
  const field = screen.getByRole("textbox", { name: "Remark on line 4" });
  await fireEvent.input(field, { target: { value: 'Refuse a token without a "kid".' } });
  await fireEvent.keyDown(field, { key: "Enter" });
  expect(screen.getByRole("region").textContent).toContain("5 steps · 1 remark");
  expect([...project.sessions.list].some(({ live }) => project.replies.of(live?.permissions[0]?.id ?? ""))).toBe(true);
  await fireEvent.click(screen.getByRole("button", { name: "Send back with 1 remark" }));
  const [sent] = answers();
  expect(sent?.answer).toBe("deny");
  expect(sent?.message).toBe(
    "Remarks on the plan:\n\nLine 4:\n\n> 2. Verify with both. A token names its key in `kid`, so nothing is tried " +
      'twice.\n\nRefuse a token without a "kid".',
  );
});

it("a missing plan is named", async () => {
  const { card } = await showOther("plan", { input: {} });
  expect(card.textContent).toContain("Claude has written no plan.");
});

it("a plan is approved with a key, and T shows Claude's own dialog", async () => {
  const { card, answers, onterminal } = await showOther("plan");
  await fireEvent.keyDown(card, { key: "t" });
  expect(onterminal).toHaveBeenCalledOnce();
  await fireEvent.keyDown(card, { key: "y" });
  expect(answers()).toMatchObject([{ answer: "allow" }]);
});

it("digits choose through all questions, and Enter submits complete answers", async () => {
  const { card, answers } = await showOther("questions");
  await fireEvent.keyDown(card, { key: "2" });
  await fireEvent.keyDown(card, { key: "Enter" });
  expect(answers()).toEqual([]);
  await fireEvent.keyDown(card, { key: "5" });
  await fireEvent.keyDown(card, { key: "7" });
  await fireEvent.keyDown(card, { key: "7" });
  await fireEvent.keyDown(card, { key: "8" });
  const own = screen.getByRole("textbox", { name: /What must keep working/ });
  expect(document.activeElement).toBe(own);
  await fireEvent.input(own, { target: { value: "The health check" } });
  await fireEvent.keyDown(own, { key: "1" });
  await fireEvent.keyDown(card, { key: "Enter" });
  expect(answers()).toEqual([
    {
      answer: "allow",
      message: null,
      answers: [
        { question: "Which key store to use?", chosen: ["KMS"] },
        { question: "What must keep working meanwhile?", chosen: ["Sign in", "The health check"] },
      ],
    },
  ]);
});
