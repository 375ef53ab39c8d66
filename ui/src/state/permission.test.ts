import { beforeEach, describe, expect, it } from "vitest";
import type { PermissionRequest, SessionView } from "../generated/api";
import { CallError } from "../platform";
import { madeSessions } from "../platform/fake/sessions";
import type { App } from "./app.svelte";
import { Permissions } from "./permission.svelte";
import type { Project } from "./project.svelte";

const BASE = madeSessions(0)[0] as SessionView;
const request = (id: string): PermissionRequest => ({ id, tool: "Bash", input: { command: id }, asked_at: "2026-01-19T10:00:00Z" });
const asking = (...ids: string[]): SessionView => ({ ...BASE, live: { ...(BASE.live as NonNullable<SessionView["live"]>), permissions: ids.map(request) } });

let known: SessionView;
let calls: unknown[];
let errors: unknown[];
let told: string[];
let fail: CallError | null;
let permissions: Permissions;
beforeEach(() => {
  [known, calls, errors, told, fail] = [asking("a", "b"), [], [], [], null];
  const project = {
    sessions: { get: () => known, put: (session: SessionView) => (known = session) },
    call: (_method: string, params: unknown) => {
      calls.push(params);
      return fail ? Promise.reject(fail) : Promise.resolve(asking("b"));
    },
  };
  const app = { toasts: { error: (thrown: unknown) => errors.push(thrown), done: (text: string) => told.push(text) } };
  permissions = new Permissions(app as unknown as App, project as unknown as Project);
});
const open = () => permissions.open(known).map((r) => r.id);

describe("a permission request", () => {
  it("of a later host with the same id is another one", async () => {
    await permissions.answer(known, request("a"), true, "", 0);
    const later = { ...request("a"), asked_at: "2026-01-19T11:00:00Z" };
    const live = known.live as NonNullable<SessionView["live"]>;
    known = { ...known, live: { ...live, permissions: [later] } };
    expect(permissions.open(known)).toEqual([later]);
    expect(await permissions.answer(known, later, true, "", 9000)).toBe(true);
  });

  it("is answered once, with the reason", async () => {
    permissions.shows(request("a"), 0);
    expect(await permissions.answer(known, request("a"), false, "  not now ", 0)).toBe(true);
    expect(await permissions.answer(known, request("a"), true, "", 0)).toBe(false);
    expect(calls).toEqual([{ id: BASE.id, request: "a", allow: false, message: "not now" }]);
    expect(open()).toEqual(["b"]);
  });

  it("is gone at once, before the engine has said so", () => {
    void permissions.answer(known, request("a"), true, "", 0);
    expect(open()).toEqual(["b"]);
  });

  it("that somebody else answered cannot be pressed", async () => {
    const stale = known;
    known = asking("b");
    expect(await permissions.answer(stale, request("a"), true, "", 0)).toBe(false);
    expect(calls).toEqual([]);
  });

  it("that took another one's place does not take the press that was meant for it", async () => {
    permissions.shows(request("a"), 0);
    permissions.shows(request("b"), 1000);
    expect(await permissions.answer(known, request("b"), true, "", 1100)).toBe(false);
    expect(await permissions.answer(known, request("b"), true, "", 1400)).toBe(true);
  });

  it("is offered again when the answer did not arrive", async () => {
    fail = new CallError("offline", "The server does not answer.");
    expect(await permissions.answer(known, request("a"), true, "", 0)).toBe(false);
    expect(open()).toEqual(["a", "b"]);
    expect(errors).toEqual([fail]);
  });

  it("that somebody else was faster with is gone, and that is no error", async () => {
    fail = new CallError("session_state", "it was answered in another window");
    expect(await permissions.answer(known, request("a"), true, "", 0)).toBe(false);
    expect([open(), told, errors]).toEqual([["b"], ["It was answered in another window."], []]);
  });

  it("is none of a session that is not active", () => {
    expect(permissions.open({ ...known, status: "paused" })).toEqual([]);
  });
});
