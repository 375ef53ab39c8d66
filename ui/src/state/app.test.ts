import { beforeEach, describe, expect, it, vi } from "vitest";
import { CallError, type Connection, type Host } from "../platform";
import { fakeHost } from "../platform/fake";
import { App } from "./app.svelte";
import { SessionActions } from "./session-actions";
import { Toasts } from "./toasts.svelte";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

async function started(options = ""): Promise<App> {
  const app = new App(fakeHost(new URLSearchParams(options)));
  app.start();
  await vi.waitFor(() => {
    expect(app.loaded).toBe(true);
    if (app.projects.length > 0) expect(app.project?.sessions.phase.state).toBe("ready");
  });
  return app;
}

function project(app: App) {
  if (!app.project) throw new Error("a project is open");
  return app.project;
}

describe("the app", () => {
  it("opens the last active project", async () => {
    localStorage.setItem("project", "sundial");
    expect((await started()).project?.key).toBe("sundial");
  });

  it("starts without a project, and opens one", async () => {
    const app = await started("with=no-project");
    expect(app.project).toBeNull();
    await app.open("/home/dv/work/lantern");
    expect(app.project?.key).toBe("lantern");
  });

  it("delays the first paint until the board is loaded, up to a limit", async () => {
    const app = new App(fakeHost(new URLSearchParams()));
    app.start();
    await app.beginning(60_000);
    expect(app.project?.beads.phase.state).toBe("ready");
    const lost = new App({ ...app.host, call: () => new Promise(() => {}) });
    lost.start();
    await lost.beginning(1);
    expect(lost.begun).toBe(false);
  });

  it("reports a missing folder with an error code", async () => {
    const app = await started();
    await expect(app.open("/missing")).rejects.toMatchObject({ code: "project_not_found" });
  });

  it("does not run a disabled command", async () => {
    const app = await started();
    expect(app.run("session.pause")).toBe(false);
    project(app).layout.openSession("5e551003-0000-4000-8000-000000000000");
    expect(app.run("session.pause")).toBe(true);
    await vi.waitFor(() =>
      expect(project(app).sessions.get("5e551003-0000-4000-8000-000000000000")?.status).toBe("paused"),
    );
  });

  it("drops a feature's commands when the feature is removed", async () => {
    const app = await started();
    const search = vi.fn();
    const back = app.provided.provide({ search });
    expect(app.run("search")).toBe(true);
    back();
    expect(app.run("search")).toBe(false);
    expect(search).toHaveBeenCalledOnce();
  });

  it("loads only after the event subscription is ready or has failed", async () => {
    const real = fakeHost();
    const requests: string[] = [];
    let connection: ((state: Connection) => void) | undefined;
    const host: Host = {
      ...real,
      call: (method, params, key) => {
        requests.push(method);
        return real.call(method, params, key);
      },
      events: (since, handler, state) => {
        connection = state;
        return real.events(since, handler);
      },
    };
    const app = new App(host);
    app.start();
    connection?.("connecting");
    expect(requests).toEqual([]);
    connection?.("live");
    await vi.waitFor(() => expect(app.loaded).toBe(true));
    expect(requests.filter((method) => method === "app.info")).toHaveLength(1);
  });

  it("stays refused while it retries, and recovers when a retry succeeds", async () => {
    const real = fakeHost();
    let refused = false;
    let connection: ((state: Connection) => void) | undefined;
    const host: Host = {
      ...real,
      call: (method, params, key) =>
        refused ? Promise.reject(new CallError("unauthorised", "no access")) : real.call(method, params, key),
      events: (since, handler, state) => {
        connection = state;
        return real.events(since, handler, state);
      },
    };
    const app = new App(host);
    app.start();
    await vi.waitFor(() => expect(app.project?.beads.phase.state).toBe("ready"));
    refused = true;
    connection?.("lost");
    await vi.waitFor(() => expect(app.connection).toBe("refused"));
    connection?.("lost");
    expect(app.connection).toBe("refused");
    await project(app).beads.reload();
    refused = false;
    connection?.("live");
    expect(app.connection).toBe("live");
    await vi.waitFor(() => expect(project(app).beads.phase.state).toBe("ready"));
  });

  it("reloads failed data after a lost connection", async () => {
    const real = fakeHost();
    let down = false;
    let connection: ((state: "live" | "lost") => void) | undefined;
    const host: Host = {
      ...real,
      call: (method, params, key) =>
        down ? Promise.reject(new CallError("offline", "no server")) : real.call(method, params, key),
      events: (since, handler, state) => {
        connection = state;
        return real.events(since, handler, state);
      },
    };
    const app = new App(host);
    app.start();
    await vi.waitFor(() => expect(app.project?.beads.phase.state).toBe("ready"));
    down = true;
    connection?.("lost");
    await project(app).beads.reload();
    expect(project(app).beads.phase.state).toBe("failed");
    expect(project(app).beads.list.length).toBeGreaterThan(0);
    down = false;
    connection?.("live");
    await vi.waitFor(() => expect(project(app).beads.phase.state).toBe("ready"));
  });
});

describe("sessions", () => {
  it("sorts sessions that need attention first", async () => {
    const { sessions } = project(await started());
    expect(sessions.shown.slice(0, 2).every((s) => s.live?.activity === "waiting_permission")).toBe(true);
    const working = sessions.list.find((s) => s.live?.activity === "working");
    if (!working) throw new Error("a sample session works");
    sessions.put({ ...working, state: "your_turn" });
    expect(sessions.shown[2]?.id, "a finished turn comes after open requests").toBe(working.id);
    sessions.put(working);
    sessions.filter = "closed";
    expect(sessions.shown.every((s) => s.status === "closed")).toBe(true);
  });

  it("restores a deleted session with undo", async () => {
    const app = await started();
    const here = project(app);
    const closed = here.sessions.list.find((s) => s.status === "closed");
    if (!closed) throw new Error("the sample project has closed sessions");
    here.layout.openSession(closed.id);
    await new SessionActions(app, here).delete(closed);
    expect(here.sessions.get(closed.id)).toBeUndefined();
    expect(here.layout.session).toBeNull();
    app.toasts.list.at(-1)?.action?.run();
    await vi.waitFor(() => expect(here.sessions.get(closed.id)).toBeDefined());
  });

  it("computes an active session's duration from the last report", async () => {
    const { sessions } = project(await started());
    const active = sessions.list.find((s) => s.status === "active");
    const paused = sessions.list.find((s) => s.status === "paused");
    if (!active || !paused) throw new Error("the sample project has both");
    expect(sessions.durationOf(active, Date.now() + 60_000)).toBeGreaterThanOrEqual(active.duration_ms + 60_000);
    expect(sessions.durationOf(paused, Date.now() + 60_000)).toBe(paused.duration_ms);
  });
});

describe("toasts", () => {
  it("close automatically, but not while the user points at one", () => {
    vi.useFakeTimers();
    const toasts = new Toasts();
    toasts.done("Exported");
    toasts.hold();
    vi.advanceTimersByTime(60_000);
    expect(toasts.list.length).toBe(1);
    toasts.release();
    vi.advanceTimersByTime(3999);
    expect(toasts.list.length).toBe(1);
    vi.advanceTimersByTime(1);
    expect(toasts.list.length).toBe(0);
    vi.useRealTimers();
  });
});

describe("paused session", () => {
  async function paused(reason: "user" | "interrupted") {
    const app = await started();
    const here = project(app);
    const session = here.sessions.list.find((s) => s.status === "paused" && s.pause_reason === reason);
    if (!session) throw new Error("the sample project has one");
    return { app, here, session, actions: new SessionActions(app, here) };
  }

  it("resumes with one press, in a terminal of the current size", async () => {
    const { app, here, session, actions } = await paused("user");
    here.layout.set({ terminal: [91, 40] });
    const call = vi.spyOn(app.host, "call");
    await actions.resume(session);
    expect(call).toHaveBeenCalledWith("session.resume", { id: session.id, size: [91, 40] }, here.key);
    expect(here.sessions.get(session.id)?.status).toBe("active");
    expect(here.layout.session).toBe(session.id);
  });

  it("opens the resume dialog first if a decision is needed", async () => {
    const { app, here, session, actions } = await paused("interrupted");
    await actions.resume(session);
    expect(app.dialogs.open).toEqual({ kind: "resume", session: session.id });
    expect(here.sessions.get(session.id)?.status).toBe("paused");
    await actions.resumeWith(session, { anyway: true, prompt: "Go on." });
    expect(here.sessions.get(session.id)?.status).toBe("active");
  });
});

describe("layout", () => {
  it("is stored per project, and falls back to the default if it is invalid", async () => {
    const app = await started();
    project(app).layout.set({ view: "history", rail: true });
    expect((await started()).project?.layout).toMatchObject({ view: "history", rail: true });
    sessionStorage.setItem(
      "layout:gatehouse",
      '{"view":7,"panelShare":"x","beside":1,"besideShare":95,"unfolded":[1,"closed"],"terminal":[80]}',
    );
    expect((await started()).project?.layout).toMatchObject({
      view: "board",
      panelShare: null,
      beside: false,
      besideShare: null,
      unfolded: ["closed"],
      terminal: null,
    });
  });

  it("remembers the tab beside the changes", async () => {
    const layout = project(await started()).layout;
    layout.set({ tab: "terminal" });
    layout.set({ tab: "changes", beside: true });
    expect(layout).toMatchObject({ tab: "changes", front: "terminal" });
    expect((await started()).project?.layout).toMatchObject({ tab: "changes", front: "chat", beside: true });
  });

  it("is sent to the program, and restored in the next window", async () => {
    const host = fakeHost(new URLSearchParams());
    const app = new App(host);
    app.start();
    await vi.waitFor(() => expect(app.project).not.toBeNull());
    project(app).layout.set({ panelShare: 33, terminal: [91, 40] });
    await vi.waitFor(async () =>
      expect((await host.call("app.projects", {})).projects[0]?.layout).toMatchObject({ panelShare: 33 }),
    );
    sessionStorage.clear(); // as in a window at another address
    const next = new App(host);
    next.start();
    await vi.waitFor(() =>
      expect(next.project?.layout).toMatchObject({ panelShare: 33, terminal: [91, 40], view: "board" }),
    );
  });
});
