import { beforeEach, describe, expect, it } from "vitest";
import type { Sent, SessionView } from "../../generated/api";
import { madeSessions } from "../../platform/fake/sessions";
import type { App } from "../../state/app.svelte";
import { Conversation } from "../../state/conversation.svelte";
import type { Project } from "../../state/project.svelte";
import { Sending } from "./send.svelte";

const SESSION = madeSessions(0)[0] as SessionView;
let answer: () => Promise<Sent>;
let requests: unknown[];
let errors: Error[];
let conversation: Conversation;
function composer(): Sending {
  const project = { key: "p", call: (_: string, params: unknown) => (requests.push(params), answer()) };
  const app = { toasts: { error: (thrown: Error) => errors.push(thrown) } };
  return new Sending(app as unknown as App, project as unknown as Project, SESSION, conversation);
}
beforeEach(() => {
  localStorage.clear();
  [requests, errors, conversation] = [[], [], new Conversation()];
  answer = () => Promise.resolve({ delivery: "sent", reason: null });
});

describe("composer", () => {
  it("keeps the typed text across reloads until it is sent", async () => {
    composer().typed("half a thought");
    const again = composer();
    expect(again.text).toBe("half a thought");
    await again.send();
    expect(requests).toEqual([{ id: SESSION.id, text: "half a thought" }]);
    expect(composer().text).toBe("");
  });

  it("shows a sent message until it is recorded, but not a queued one", async () => {
    const sending = composer();
    sending.typed("one");
    await sending.send();
    answer = () => Promise.resolve({ delivery: "held", reason: "working" });
    sending.typed("two");
    await sending.send();
    expect(conversation.pending.map((p) => p.text)).toEqual(["one"]);
  });

  it("puts a text that failed to send back before the newer text", async () => {
    const sending = composer();
    answer = () => {
      sending.typed("and more");
      return Promise.reject(new Error("gone"));
    };
    sending.typed("first");
    await sending.send();
    expect(sending.text).toBe("first\n\nand more");
    expect(errors.length).toBe(1);
  });

  it("leaves an unconfirmed message to the session, without showing or restoring it", async () => {
    const sending = composer();
    answer = () => Promise.resolve({ delivery: "unconfirmed", reason: "not seen" });
    sending.typed("one");
    await sending.send();
    expect([conversation.pending, sending.text, errors, requests.length]).toEqual([[], "", [], 1]);
  });

  it("sends no empty or oversized text", async () => {
    const sending = composer();
    sending.typed("  \n ");
    await sending.send();
    sending.typed("x".repeat(300_000));
    await sending.send();
    expect(requests).toEqual([]);
    expect(errors.length).toBe(1);
    expect(sending.text.length).toBe(300_000);
  });
});
