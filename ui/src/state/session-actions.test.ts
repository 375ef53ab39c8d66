import { describe, expect, it } from "vitest";
import { CallError } from "../platform";
import { madeSessions } from "../platform/fake/sessions";
import type { SessionView } from "../generated/api";
import type { App } from "./app.svelte";
import type { Project } from "./project.svelte";
import { SessionActions } from "./session-actions";

const SESSION = madeSessions(0)[2] as SessionView;

describe("queued text", () => {
  function setup(answer: () => Promise<SessionView>) {
    const calls: unknown[] = [];
    const shown: { text: string; action?: { run: () => void } | undefined }[] = [];
    const errors: unknown[] = [];
    const put: SessionView[] = [];
    const project = {
      call: (...call: unknown[]) => (calls.push(call), answer()),
      sessions: { put: (session: SessionView) => put.push(session) },
    };
    const toasts = {
      done: (text: string, action?: { run: () => void }) => shown.push({ text, action }),
      error: (thrown: unknown) => errors.push(thrown),
    };
    const actions = new SessionActions({ toasts } as unknown as App, project as unknown as Project);
    return { actions, calls, shown, errors, put };
  }

  it("is retried by its ID", async () => {
    const { actions, calls, put } = setup(() => Promise.resolve(SESSION));
    await actions.retry(SESSION, "held-0");
    expect(calls).toEqual([["session.retry", { id: SESSION.id, text: "held-0" }]]);
    expect(put).toEqual([SESSION]);
  });

  it("can be restored after it is discarded", async () => {
    const { actions, calls, shown } = setup(() => Promise.resolve(SESSION));
    let back = 0;
    await actions.forget(SESSION, "held-0", () => back++);
    expect(calls).toEqual([["session.forget", { id: SESSION.id, text: "held-0" }]]);
    expect(back).toBe(0);
    shown[0]?.action?.run();
    expect(back).toBe(1);
  });

  it("is not reported as discarded if it was sent meanwhile", async () => {
    const { actions, shown, errors } = setup(() => Promise.reject(new Error("it may have been sent")));
    await actions.forget(SESSION, "held-0", () => undefined);
    expect([shown.length, errors.length]).toEqual([0, 1]);
  });
});

describe("a session that another window changed first", () => {
  function setup(status: SessionView["status"]) {
    const put: SessionView[] = [];
    const notices: string[] = [];
    const errors: unknown[] = [];
    const now = { ...SESSION, title: "Two windows", status };
    const call = (method: string) =>
      method === "session.show" ? Promise.resolve(now) : Promise.reject(new CallError("session_state", "it cannot be"));
    const project = {
      call,
      layout: {},
      beads: { get: () => undefined },
      sessions: { put: (session: SessionView) => put.push(session) },
    };
    const toasts = { done: (text: string) => notices.push(text), error: (thrown: unknown) => errors.push(thrown) };
    return {
      actions: new SessionActions({ toasts } as unknown as App, project as unknown as Project),
      put,
      notices,
      errors,
      now,
    };
  }

  it("shows its new state if this is the wanted one", async () => {
    const { actions, put, notices, errors, now } = setup("closed");
    await actions.end(SESSION, { review: false });
    expect([put, notices, errors]).toEqual([[now], ["Two windows was already ended in another window"], []]);
  });

  it("shows its new state, with the conflict if this is not the wanted one", async () => {
    const { actions, put, notices, errors, now } = setup("closed");
    await actions.resume(SESSION);
    expect([put, notices]).toEqual([[now], []]);
    expect(errors).toMatchObject([{ message: "it cannot be" }]);
  });
});
