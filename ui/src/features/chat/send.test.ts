import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Sent, SessionView } from "../../generated/api";
import { madeSessions } from "../../platform/fake/sessions";
import type { App } from "../../state/app.svelte";
import { Conversation } from "../../state/conversation.svelte";
import type { Project } from "../../state/project.svelte";
import { Sending, sendingOf } from "./send.svelte";

const SESSION = madeSessions(0)[0] as SessionView;
let answer: () => Promise<Sent>;
let requests: unknown[];
/** The draft on disk. Each test has its own, because an earlier test's composer saves with a delay. */
let disk: { text: string };
let errors: Error[];
let conversation: Conversation;
function composer(): Sending {
  const own = disk;
  const call = (method: string, params: { text: string }) => {
    if (method === "session.draft") return Promise.resolve({ text: own.text });
    if (method === "session.set_draft") return Promise.resolve({ text: (own.text = params.text) });
    if (method === "session.attach") return Promise.resolve({ mention: MENTION, path: MENTION.slice(1), bytes: 3 });
    return (requests.push(params), answer());
  };
  const project = { key: "p", call };
  const app = { toasts: { error: (thrown: Error) => errors.push(thrown) } };
  return new Sending(app as unknown as App, project as unknown as Project, SESSION, conversation);
}
const MENTION = "@/w/.beads/sessions/1/person/attachments/0a1b2c3d-shot.png";
beforeEach(() => {
  localStorage.clear();
  [requests, errors, conversation, disk] = [[], [], new Conversation(), { text: "" }];
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

  describe("while a message is being sent", () => {
    const settled: (() => void)[] = [];
    const texts = () => requests.map((one) => (one as { text: string }).text);
    beforeEach(() => {
      settled.length = 0;
      answer = () => new Promise((resolve) => settled.push(() => resolve({ delivery: "sent", reason: null })));
    });
    async function write(sending: Sending, ...messages: string[]): Promise<void> {
      const sent = messages.map((message) => (sending.typed(message), sending.send()));
      await vi.waitFor(() => expect(settled.length).toBe(1));
      void Promise.all(sent);
    }

    it("later messages wait, and are sent once each, in order", async () => {
      const sending = composer();
      await write(sending, "one", "two", "three");
      sending.typed("half");
      expect([texts(), sending.behind, sending.text]).toEqual([["one"], ["two", "three"], "half"]);
      settled[0]?.();
      await vi.waitFor(() => expect(texts()).toEqual(["one", "two"]));
      settled[1]?.();
      await vi.waitFor(() => expect(settled.length).toBe(3));
      settled[2]?.();
      await vi.waitFor(() => expect(sending.busy).toBe(false));
      expect([texts(), sending.behind, sending.text]).toEqual([["one", "two", "three"], [], "half"]);
    });

    it("waiting messages are on disk until they are sent", async () => {
      const sending = composer();
      await write(sending, "one", "two");
      expect(composer().text).toBe("two");
      settled[0]?.();
      await vi.waitFor(() => expect(texts()).toEqual(["one", "two"]));
      await vi.waitFor(() => expect(composer().text).toBe(""));
    });

    it("a failure returns it and the waiting messages to the field, and sends none of them", async () => {
      const sending = composer();
      let fail = (): void => {};
      answer = () => new Promise((_, reject) => (fail = () => reject(new Error("gone"))));
      sending.typed("one");
      const sent = sending.send();
      sending.typed("two");
      await sending.send();
      sending.typed("half");
      fail();
      await sent;
      expect([sending.text, texts(), sending.behind, sending.busy]).toEqual(["one\n\ntwo\n\nhalf", ["one"], [], false]);
    });

    it("a reopened composer shows the waiting messages above its field, not in the field", async () => {
      const call = (method: string, params: { text: string }) =>
        method.endsWith("draft") ? Promise.resolve({ text: params.text ?? "" }) : (requests.push(params), answer());
      const project = { key: "p", call } as unknown as Project;
      const app = { toasts: { error: () => {} } } as unknown as App;
      const first = sendingOf(app, project, SESSION, conversation);
      await write(first, "one", "two");
      first.leave();
      const again = sendingOf(app, project, SESSION, new Conversation());
      expect([again.text, again.behind]).toEqual(["", ["two"]]);
      settled[0]?.();
      await vi.waitFor(() => expect(settled.length).toBe(2));
      settled[1]?.();
      await vi.waitFor(() => expect(again.busy).toBe(false));
      expect(sendingOf(app, project, SESSION, conversation)).not.toBe(first);
      expect(texts()).toEqual(["one", "two"]);
    });

    it("a message that is written during a resume is sent after it as an ordinary one", async () => {
      const sending = composer();
      sending.typed("go on");
      let resumed = (_: boolean): void => {};
      const done = sending.resume(() => new Promise((resolve) => (resumed = resolve)));
      sending.typed("and test");
      await sending.resume(() => Promise.reject(new Error("it is active")));
      resumed(true);
      await vi.waitFor(() => expect(texts()).toEqual(["and test"]));
      settled[0]?.();
      await done;
      expect([errors, sending.text]).toEqual([[], ""]);
    });

    it("a resume that needs a decision returns both messages to the field, then removes only its own", async () => {
      const sending = composer();
      sending.typed("go on");
      let sent = (): void => {};
      let asked = (_: boolean): void => {};
      const done = sending.resume((_text, after) => ((sent = after), new Promise((resolve) => (asked = resolve))));
      sending.typed("and test");
      await sending.resume(() => Promise.resolve(true));
      asked(false);
      await done;
      expect(sending.text).toBe("go on\n\nand test");
      sent();
      expect(sending.text).toBe("and test");
    });
  });

  it("leaves an unconfirmed message to the session, without showing or restoring it", async () => {
    const sending = composer();
    answer = () => Promise.resolve({ delivery: "unconfirmed", reason: "not seen" });
    sending.typed("one");
    await sending.send();
    expect([conversation.pending, sending.text, errors, requests.length]).toEqual([[], "", [], 1]);
  });

  it("keeps an unsent message on disk, and restores it only into an empty field", async () => {
    const sending = composer();
    sending.typed("half a thought");
    sending.leave();
    expect(disk.text).toBe("half a thought");
    await vi.waitFor(() => expect(localStorage.length).toBe(0));
    const again = composer();
    await vi.waitFor(() => expect(again.text).toBe("half a thought"));
    const busy = composer();
    busy.typed("newer");
    await Promise.resolve();
    expect(busy.text).toBe("newer");
  });

  it("sends attached files as mentions before the text, and puts them back with it", async () => {
    const sending = composer();
    sending.typed("what is this?");
    await sending.attach([new File(["png"], "shot.png", { type: "image/png" })]);
    expect(sending.files.map(({ name }) => name)).toEqual(["shot.png"]);
    answer = () => Promise.reject(new Error("gone"));
    await sending.send();
    expect(requests).toEqual([{ id: SESSION.id, text: `${MENTION} what is this?` }]);
    expect([sending.text, sending.files.length]).toEqual(["what is this?", 1]);
    expect(composer().files).toHaveLength(1);
  });

  it("refuses an image of 50 MB with the reason and the next step, and keeps the message", async () => {
    const sending = composer();
    sending.typed("look");
    const huge = new File([], "huge.png");
    Object.defineProperty(huge, "size", { value: 50 * 1024 * 1024 });
    await sending.attach([huge]);
    expect(errors.map(({ message }) => message)).toEqual([
      "huge.png was not attached: it has 50 MB, and the limit is 10 MB. " +
        "Copy it into the project and mention its path.",
    ]);
    expect([sending.text, sending.files.length, sending.attaching]).toEqual(["look", 0, 0]);
  });

  it("turns a text of a megabyte into a file", async () => {
    const sending = composer();
    sending.typed("x".repeat(1 << 20));
    expect(sending.large).toBe(true);
    await sending.attachText();
    expect([sending.text, sending.files.length, sending.large]).toEqual(["", 1, false]);
  });

  it("resumes a paused session with the message; a needed decision leaves it in the field", async () => {
    const sending = composer();
    sending.typed("go on");
    let done = (): void => {};
    await sending.resume((text, sent) => {
      done = sent;
      return Promise.resolve(text !== "go on");
    });
    expect(sending.text).toBe("go on");
    done();
    expect(sending.text).toBe("");
    sending.typed("again");
    await sending.resume(() => Promise.resolve(true));
    expect([sending.text, requests.length]).toEqual(["", 0]);
  });

  it("sends no empty or oversized text", async () => {
    const sending = composer();
    sending.typed("  \n ");
    await sending.send();
    sending.typed("x".repeat(300_000));
    await sending.send();
    expect(requests).toEqual([]);
    expect(sending.large).toBe(true);
    expect(sending.text.length).toBe(300_000);
  });
});
