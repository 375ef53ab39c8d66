import { fireEvent, screen, within } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import type { HeldText, SessionView } from "../../generated/api";
import { CallError } from "../../platform";
import { Conversation } from "../../state/conversation.svelte";
import { mounted, world } from "../../testing/mounted";
import Composer from "./Composer.svelte";
import { Sending } from "./send.svelte";

// jsdom lacks this function, with which the completion list scrolls to the chosen entry.
Element.prototype.scrollIntoView = () => {};
vi.stubGlobal("CSS", { supports: () => true, escape: (text: string) => text });

async function composing(refused: Parameters<typeof world>[0] = {}, held: HeldText[] = []) {
  const here = await world(refused);
  const { app, project } = here;
  const active = project.sessions.list.find((one) => one.live?.activity === "working");
  if (!active?.live) throw new Error("a session of the sample project is running");
  const session = { ...active, live: { ...active.live, activity: "idle", hold: null, held } } as SessionView;
  project.sessions.put(session);
  const conversation = new Conversation();
  const sending = new Sending(app, project, session, conversation);
  mounted(here, Composer, { session, sending, sent: ["one", "two"] });
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: /^Message to/ });
  const write = (text: string) => fireEvent.input(field, { target: { value: text } });
  const press = (init: KeyboardEventInit) => fireEvent.keyDown(field, { key: "Enter", ...init });
  return { ...here, session, field, write, press };
}

it("Enter sends the text and empties the field", async () => {
  const { session, field, write, press, callsOf } = await composing();
  await write("  Run the tests again ");
  await press({});
  expect(callsOf("session.send")).toEqual([{ id: session.id, text: "Run the tests again" }]);
  await vi.waitFor(() => expect(field.value).toBe(""));
});

it("a second Enter is accepted while the first message is being sent, and queues its message", async () => {
  const { project, field, write, press } = await composing();
  const [sent, go]: [string[], (() => void)[]] = [[], []];
  vi.spyOn(project, "call").mockImplementation(((method: string, params: { text: string }) => {
    if (method !== "session.send") return Promise.resolve({ text: "" });
    sent.push(params.text);
    return new Promise((resolve) => go.push(() => resolve({ delivery: "held", reason: null })));
  }) as never);
  await write("first");
  await press({});
  await write("second");
  await press({});
  expect([field.value, sent]).toEqual(["", ["first"]]);
  expect(within(screen.getByRole("list", { name: "Queued messages" })).getByText("second")).toBeTruthy();
  go[0]?.();
  await vi.waitFor(() => expect(sent).toEqual(["first", "second"]));
  await vi.waitFor(() => expect(screen.queryByText("second")).toBeNull());
});

it("Shift+Enter adds a line, and Enter during composition belongs to the input method", async () => {
  const { write, press, callsOf } = await composing();
  await write("one");
  await press({ shiftKey: true });
  await press({ isComposing: true });
  expect(callsOf("session.send")).toEqual([]);
});

it("switches the permission mode once per press of Shift+Tab, also while an earlier switch is pending", async () => {
  const { press, callsOf } = await composing();
  void press({ key: "Tab", shiftKey: true });
  void press({ key: "Tab", shiftKey: true });
  await vi.waitFor(() => expect(callsOf("session.mode")).toHaveLength(2));
});

it("does not send an empty message", async () => {
  const { write, press, callsOf } = await composing();
  expect(screen.getByRole("button", { name: /^Send/ })).toHaveProperty("disabled", true);
  await write("   ");
  await press({});
  expect(callsOf("session.send")).toEqual([]);
});

it("puts a message that failed to send back before the newer text", async () => {
  const error = new CallError("io", "The session's host does not answer");
  const { app, field, write, press } = await composing({ "session.send": error });
  await write("Run the tests again");
  const sent = press({});
  await write("And the linter");
  await sent;
  await vi.waitFor(() => expect(field.value).toBe("Run the tests again\n\nAnd the linter"));
  expect(app.toasts.list.map(({ text }) => text)).toEqual(["The session's host does not answer"]);
});

it("with the other setting, Enter adds a line and Ctrl+Enter sends", async () => {
  const { app, write, press, callsOf } = await composing();
  await app.change({ enter_sends: false });
  await write("one");
  await press({});
  expect(callsOf("session.send")).toEqual([]);
  await press({ ctrlKey: true });
  expect(callsOf("session.send")).toHaveLength(1);
});

it("Up at the beginning recalls earlier messages, and Down returns to the unsent one", async () => {
  const { field, write } = await composing();
  await write("mine");
  const arrow = (key: string, caret: number) => {
    field.setSelectionRange(caret, caret);
    return fireEvent.keyDown(field, { key });
  };
  await arrow("ArrowUp", 2);
  expect(field.value).toBe("mine");
  await arrow("ArrowUp", 0);
  expect(field.value).toBe("two");
  await arrow("ArrowUp", 0);
  expect(field.value).toBe("one");
  await arrow("ArrowDown", 3);
  await arrow("ArrowDown", 3);
  expect(field.value).toBe("mine");
});

it("shows what the first character means to Claude", async () => {
  const { write } = await composing();
  await write("!ls");
  expect(screen.getByText(/^Sent as text/)).toBeTruthy();
  await write("/compact");
  expect(screen.getByText("Claude runs this as a command.")).toBeTruthy();
  for (const text of ["- first point", "/tmp/x is broken"]) {
    await write(text);
    expect(screen.queryByText(/Sent as text|runs this/)).toBeNull();
  }
});

it("a queued message moves with the keys, is edited in place, and is sent now", async () => {
  const { session, callsOf } = await composing({}, [
    { id: "a", text: "one", at: "2026-01-01T00:00:00Z", state: "waiting" },
    { id: "b", text: "two", at: "2026-01-01T00:00:01Z", state: "waiting" },
  ]);
  await fireEvent.keyDown(screen.getByRole("button", { name: "Move message 2 of 2" }), {
    key: "ArrowUp",
    altKey: true,
  });
  expect(callsOf("session.move_queued")).toEqual([{ id: session.id, text: "b", before: "a" }]);
  const [edit] = await screen.findAllByRole("button", { name: "Edit message" });
  await vi.waitFor(() => expect(edit).toHaveProperty("disabled", false));
  await fireEvent.click(edit as HTMLElement);
  const field = screen.getByRole("textbox", { name: "Queued message" });
  await fireEvent.input(field, { target: { value: "changed" } });
  await fireEvent.keyDown(field, { key: "Enter" });
  await vi.waitFor(() => expect(callsOf("session.edit_queued")).toHaveLength(1));
  expect(callsOf("session.edit_queued")[0]).toMatchObject({ id: session.id, content: "changed" });
});
