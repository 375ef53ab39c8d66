import { beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionView } from "../generated/api";
import { fakeHost } from "../platform/fake";
import type { FakeNotifier } from "../platform/fake/notifier";
import { sessionId } from "../platform/fake/sessions";
import { App } from "./app.svelte";
import type { Project } from "./project.svelte";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.spyOn(document, "hasFocus").mockReturnValue(true);
});

async function started(options = ""): Promise<{ app: App; project: Project; notifier: FakeNotifier }> {
  const host = fakeHost(new URLSearchParams(options));
  const app = new App(host);
  app.start();
  await vi.waitFor(() => expect(app.projects.map(({ key }) => app.waitingIn(key))).toEqual([3, 0]));
  const project = app.project;
  if (!project) throw new Error("a project is open");
  return { app, project, notifier: host.notifier as FakeNotifier };
}

/** The engine reports that the working session's turn has ended. */
function endTurn(project: Project): SessionView {
  const working = project.sessions.get(sessionId(3));
  if (!working?.live) throw new Error("a sample session works");
  const live = { ...working.live, activity: "idle" as const, held: [] };
  const session: SessionView = { ...working, live, state: "your_turn" };
  project.apply({ type: "session_changed", session });
  return session;
}

/** Makes the fake host list the session's need, as the engine would. */
function listed(app: App, session: SessionView): void {
  const { call } = app.host;
  vi.spyOn(app.host, "call").mockImplementation(async (method, params, project) => {
    const answer = await call(method, params, project);
    if (method !== "session.needs" || project !== "gatehouse") return answer;
    const turn = {
      id: `turn:${session.id}`,
      kind: "turn",
      session: session.id,
      title: "Compare tokens by digest",
      text: "Shall I push?",
      since: "2026-01-19T10:00:00Z",
    };
    return { items: [...(answer as { items: object[] }).items, turn], warnings: [] } as never;
  });
}

describe("notifications", () => {
  it("announce each new need that is not on screen once, and are withdrawn when its session is opened", async () => {
    const { app, project, notifier } = await started();
    expect(notifier.shown.size, "earlier needs are not announced").toBe(0);
    const session = project.sessions.get(sessionId(3));
    listed(app, session as SessionView);
    endTurn(project);
    await vi.waitFor(() => expect(notifier.shown.size).toBe(1));
    const [note] = notifier.shown.values();
    expect(note).toMatchObject({ title: "Your turn: Compare tokens by digest", body: "Shall I push?\ngatehouse" });
    await vi.waitFor(() => expect(notifier.counted).toBe(4));
    expect(app.windowTitle).toBe("(4) gatehouse · Beads Console");

    // Opening the notification opens its session, which is now on screen.
    note?.open();
    expect(project.layout.session).toBe(sessionId(3));
    await vi.waitFor(() => expect(notifier.shown.size).toBe(0));
    await project.needs.load();
    expect(notifier.shown.size, "it is announced once").toBe(0);
  });

  it("stay silent about the session on screen, and about kinds that are switched off", async () => {
    const { app, project, notifier } = await started();
    const show = vi.spyOn(notifier, "show");
    project.layout.openSession(sessionId(3));
    listed(app, endTurn(project));
    await vi.waitFor(() => expect(project.needs.items).toHaveLength(4));
    await Promise.resolve();
    expect(show).not.toHaveBeenCalled();

    vi.spyOn(document, "hasFocus").mockReturnValue(false);
    app.settings = { ...app.settings, notify: app.settings.notify.filter((kind) => kind !== "question") };
    const asks = project.sessions.get(sessionId(2));
    const request = asks?.live?.permissions[0];
    if (!asks?.live || !request) throw new Error("a sample session asks");
    project.apply({ type: "session_changed", session: { ...asks, live: { ...asks.live, permissions: [] } } });
    await vi.waitFor(() => expect(project.needs.items).toHaveLength(3));
    project.apply({ type: "session_changed", session: asks });
    await vi.waitFor(() => expect(project.needs.items).toHaveLength(4));
    expect(show).not.toHaveBeenCalled();
  });

  it("are reported as refused if the system refuses them", async () => {
    const { app, project } = await started("notify=refused");
    await vi.waitFor(() => expect(app.notifications.state).toBe("refused"));
    vi.spyOn(document, "hasFocus").mockReturnValue(false);
    listed(app, endTurn(project));
    await vi.waitFor(() => expect(project.needs.items).toHaveLength(4));
    expect(app.notifications.state).toBe("refused");
  });
});
