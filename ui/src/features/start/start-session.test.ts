import { beforeEach, describe, expect, it, vi } from "vitest";
import { CallError } from "../../platform";
import { fakeHost } from "../../platform/fake";
import { App } from "../../state/app.svelte";
import { startSession } from "./start-session";
import { StartChoice } from "./choice.svelte";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

/** Starts work from a bead's sheet, and returns the open dialog and sheet. `meanwhile` acts as the user before the
 * answer. */
async function dialogsAfterStart(meanwhile: (app: App) => void) {
  const app = new App(fakeHost(new URLSearchParams()));
  app.start();
  await vi.waitFor(() => expect(app.project?.sessions.phase.state).toBe("ready"));
  if (!app.project) throw new Error("a project is open");
  app.dialogs.showBead("BC-101");
  app.dialogs.show({ kind: "start-work", bead: "BC-101" });
  const starting = startSession(app, app.project, new StartChoice(app, app.project), {
    bead_id: "BC-101",
    branch: "late",
    simulated: true,
  });
  meanwhile(app);
  await starting;
  return [app.dialogs.open?.kind, app.dialogs.bead];
}

it("closes the dialog when the host listens, and reports Claude's start later", async () => {
  const host = fakeHost(new URLSearchParams());
  const requests: string[] = [];
  let report: (error: Error) => void = () => {};
  const call: typeof host.call = (method, params, project) => {
    requests.push(method);
    return method === "session.started"
      ? new Promise((_, reject) => (report = reject))
      : host.call(method, params, project);
  };
  const app = new App({ ...host, call });
  app.start();
  await vi.waitFor(() => expect(app.project?.sessions.phase.state).toBe("ready"));
  if (!app.project) throw new Error("a project is open");
  app.dialogs.show({ kind: "start-work", bead: "BC-101" });
  await startSession(app, app.project, new StartChoice(app, app.project), {
    bead_id: "BC-101",
    branch: "late",
    simulated: true,
  });
  expect([app.dialogs.open, requests.includes("session.started")]).toEqual([null, true]);
  expect(app.project.layout.session).not.toBeNull();
  report(new CallError("claude_exited", "claude ended as soon as it was started"));
  await vi.waitFor(() =>
    expect(app.toasts.list.map(({ kind, text }) => [kind, text])).toContainEqual([
      "error",
      "claude ended as soon as it was started",
    ]),
  );
});

describe("new session", () => {
  it("closes its dialog and the bead's sheet", async () => {
    expect(await dialogsAfterStart(() => {})).toEqual([undefined, null]);
    expect(await dialogsAfterStart(({ dialogs }) => dialogs.close())).toEqual([undefined, null]);
  });

  it("keeps a dialog or sheet that the user opens during the start", async () => {
    expect(await dialogsAfterStart(({ dialogs }) => dialogs.show({ kind: "create-bead" }))).toEqual([
      "create-bead",
      "BC-101",
    ]);
    const other = ({ dialogs }: App) => {
      dialogs.close();
      dialogs.showBead("BC-102");
    };
    expect(await dialogsAfterStart(other)).toEqual([undefined, "BC-102"]);
  });
});
