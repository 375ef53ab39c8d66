import { fireEvent, screen } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import type { SessionView } from "../../generated/api";
import { CallError } from "../../platform";
import { Conversation } from "../../state/conversation.svelte";
import { mounted, world } from "../../testing/mounted";
import Composer from "./Composer.svelte";
import { Sending } from "./send.svelte";

vi.stubGlobal("CSS", { supports: () => true, escape: (text: string) => text });

async function composing(refused: Parameters<typeof world>[0] = {}) {
  const here = await world(refused);
  const { app, project } = here;
  const active = project.sessions.list.find((one) => one.live?.activity === "working");
  if (!active?.live) throw new Error("a session of the sample project is running");
  const session = { ...active, live: { ...active.live, activity: "idle", hold: null } } as SessionView;
  project.sessions.put(session);
  const conversation = new Conversation();
  const sending = new Sending(app, project, session, conversation);
  mounted(here, Composer, { session, sending });
  const field = screen.getByRole<HTMLTextAreaElement>("textbox");
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

it("Shift+Enter adds a line, and Enter during composition belongs to the input method", async () => {
  const { write, press, callsOf } = await composing();
  await write("one");
  await press({ shiftKey: true });
  await press({ isComposing: true });
  expect(callsOf("session.send")).toEqual([]);
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
