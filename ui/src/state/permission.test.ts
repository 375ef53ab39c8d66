import { beforeEach, describe, expect, it } from "vitest";
import type { PermissionRequest, SessionView } from "../generated/api";
import { CallError } from "../platform";
import { madeSessions } from "../platform/fake/sessions";
import type { App } from "./app.svelte";
import { Permissions } from "./permission.svelte";
import type { Project } from "./project.svelte";
import { Replies } from "./replies.svelte";

const BASE = madeSessions(0)[0] as SessionView;
const request = (id: string): PermissionRequest => ({
  id,
  tool: "Bash",
  input: { command: id },
  subagent: null,
  lasting: [],
  asked_at: "2026-01-19T10:00:00Z",
});
const asking = (...ids: string[]): SessionView => ({
  ...BASE,
  live: { ...(BASE.live as NonNullable<SessionView["live"]>), permissions: ids.map(request) },
});

let known: SessionView;
let calls: unknown[];
let errors: unknown[];
let notices: string[];
let fail: CallError | null;
let permissions: Permissions;
let replies: Replies;
beforeEach(() => {
  [known, calls, errors, notices, fail] = [asking("a", "b"), [], [], [], null];
  replies = new Replies();
  const project = {
    replies,
    sessions: { get: () => known, put: (session: SessionView) => (known = session) },
    call: (_method: string, params: unknown) => {
      calls.push(params);
      return fail ? Promise.reject(fail) : Promise.resolve(asking("b"));
    },
  };
  const app = {
    toasts: { error: (thrown: unknown) => errors.push(thrown), done: (text: string) => notices.push(text) },
  };
  permissions = new Permissions(app as unknown as App, project as unknown as Project);
});
const open = () => permissions.open(known).map((r) => r.id);

describe("permission request", () => {
  it("is answered once, with the reason", async () => {
    permissions.shows(request("a"), 0);
    expect(await permissions.answer(known, request("a"), "deny", "  not now ", 0)).toBe(true);
    expect(await permissions.answer(known, request("a"), "allow", "", 0)).toBe(false);
    expect(calls).toEqual([{ id: BASE.id, request: "a", answer: "deny", message: "not now" }]);
    expect(open()).toEqual(["b"]);
  });

  it("keeps an answer that the user has begun", async () => {
    replies.begin("a", { kind: "deny", reason: "half a sent" });
    replies.begin("b", { kind: "always" });
    await permissions.answer(known, request("a"), "deny", "half a sentence", 0);
    expect([replies.of("a"), replies.of("b")]).toEqual([null, { kind: "always" }]);
  });

  it("disappears before the engine confirms the answer", () => {
    void permissions.answer(known, request("a"), "allow", "", 0);
    expect(open()).toEqual(["b"]);
  });

  it("ignores a press after another client answered", async () => {
    const stale = known;
    known = asking("b");
    expect(await permissions.answer(stale, request("a"), "allow", "", 0)).toBe(false);
    expect(calls).toEqual([]);
  });

  it("ignores a press that was meant for the request before it", async () => {
    permissions.shows(request("a"), 0);
    permissions.shows(request("b"), 1000);
    expect(await permissions.answer(known, request("b"), "allow", "", 1100)).toBe(false);
    expect(await permissions.answer(known, request("b"), "allow", "", 1400)).toBe(true);
  });

  it("is offered again if the answer failed to arrive", async () => {
    fail = new CallError("offline", "The server does not answer.");
    expect(await permissions.answer(known, request("a"), "allow", "", 0)).toBe(false);
    expect(open()).toEqual(["a", "b"]);
    expect(errors).toEqual([fail]);
  });

  it("disappears without an error if another client was faster", async () => {
    fail = new CallError("session_state", "it was answered in another window");
    expect(await permissions.answer(known, request("a"), "allow", "", 0)).toBe(false);
    expect([open(), notices, errors]).toEqual([["b"], ["It was answered in another window."], []]);
  });

  it("is hidden unless the session is active", () => {
    expect(permissions.open({ ...known, status: "paused" })).toEqual([]);
  });
});
