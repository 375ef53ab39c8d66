import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeHost } from "../platform/fake";
import { App } from "./app.svelte";
import { FleetActions, REFUSED } from "./fleet-actions";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

async function started(options = "") {
  const app = new App(fakeHost(new URLSearchParams(options)));
  app.start();
  await vi.waitFor(() => expect(app.project?.sessions.phase.state).toBe("ready"));
  if (!app.project) throw new Error("a project is open");
  const { project } = app;
  const { fleet } = project;
  const close = fleet.open();
  await vi.waitFor(() => expect(fleet.overview.value && fleet.queue.value).toBeTruthy());
  return { app, project, fleet, close, actions: new FleetActions(app, project) };
}
const said = (app: App) => app.toasts.list.map(({ text }) => text);

describe("fleet", () => {
  it("sorts stuck agents first, and counts agents by state", async () => {
    const { fleet } = await started();
    expect(fleet.agents.slice(0, 2).map(({ state }) => state)).toEqual(["needs_you", "silent"]);
    expect((["all", "active", "stalled", "idle"] as const).map((filter) => fleet.count(filter))).toEqual([8, 4, 2, 2]);
    fleet.filter = "idle";
    expect(fleet.shown.map(({ identity }) => identity.id)).toEqual(["polecat-e80b6f2211", "crew-mira"]);
  });

  it("is updated by its events, and not read while it is not shown", async () => {
    const { project, fleet, close } = await started();
    await project.call("fleet.agent_create", { role: "witness" });
    await vi.waitFor(() => expect(fleet.agents.length).toBe(9));
    close();
    await project.call("fleet.agent_create", { role: "witness" });
    expect(fleet.agents.length).toBe(9);
    fleet.open();
    await vi.waitFor(() => expect(fleet.agents.length).toBe(10));
  });

  it("shows assigned work on the agent's hook, and reports it", async () => {
    const { app, fleet, actions } = await started();
    const idle = fleet.idle[0];
    if (!idle) throw new Error("no agent is idle");
    expect(await actions.give(idle, "BC-101")).toBe(true);
    expect(said(app)).toEqual([`“Unclosed string literal panics the tokenizer” assigned to ${idle.name}`]);
    await vi.waitFor(() => expect(fleet.agent(idle.identity.id)).toMatchObject({ state: "starting", bead: "BC-101" }));
  });

  it("takes work from a busy agent after a confirmation, and from an interrupted one at once", async () => {
    const { app, fleet, actions } = await started();
    const confirmation = () => (app.dialogs.open?.kind === "confirm" ? app.dialogs.open : null);
    const worker = fleet.agents.find(({ state, bead }) => state === "working" && bead !== null);
    if (!worker) throw new Error("no agent is working");
    actions.takeWork(worker, "release");
    expect(confirmation()).toMatchObject({ action: "Release", danger: true });
    expect(fleet.agent(worker.identity.id)?.bead).toBe(worker.bead);
    confirmation()?.run();
    await vi.waitFor(() => expect(fleet.agent(worker.identity.id)?.bead).toBeNull());
    app.dialogs.close();
    actions.takeWork({ ...worker, state: "interrupted" }, "reassign");
    expect(confirmation()).toBeNull();
  });

  it("assigns ready beads to idle agents, and then says why nothing is assigned", async () => {
    const { app, fleet, actions } = await started();
    await actions.assignAll();
    expect(said(app)).toEqual(["2 beads assigned"]);
    await vi.waitFor(() => expect(fleet.idle.length).toBe(0));
    await actions.assignAll();
    expect(said(app).at(-1)).toBe("All 8 agent slots are in use.");
  });

  it("merges refusals with one reason into one message, which goes when an assignment succeeds", async () => {
    const { app, fleet, actions } = await started("with=fleet-refused");
    await actions.assignAll();
    const refused = () => app.toasts.list.filter(({ kind }) => kind === "error");
    expect(refused().map(({ text, hint }) => [text, hint])).toEqual([
      [
        "4 beads not assigned",
        "The setup command of worktrees was not run: you have not allowed the current content of these " +
          "repository files: tools/setup.sh.",
      ],
    ]);
    await actions.assignAll();
    expect(refused()).toHaveLength(1);
    const idle = fleet.idle[0];
    if (!idle) throw new Error("no agent is idle");
    await actions.give(idle, "BC-101");
    expect(refused().map(({ text }) => text)).toEqual(["“Unclosed string literal panics the tokenizer” not assigned"]);
    app.toasts.clear(REFUSED);
    expect(refused()).toEqual([]);
  });

  it("renames an agent, and refuses a duplicate name", async () => {
    const { project, fleet } = await started();
    const [one, two] = fleet.agents;
    if (!one || !two) throw new Error("there are agents");
    await project.call("fleet.agent_rename", { id: one.identity.id, name: "Ann" });
    await vi.waitFor(() => expect(fleet.agent(one.identity.id)?.name).toBe("Ann"));
    await expect(project.call("fleet.agent_rename", { id: two.identity.id, name: "ann" })).rejects.toMatchObject({
      code: "usage",
    });
  });

  it("takes the queue's order from the answer", async () => {
    const { fleet, actions } = await started();
    const [first, second, third] = fleet.waiting.map(({ id }) => id);
    await actions.move(third ?? "", second ?? "");
    expect(fleet.waiting.map(({ id }) => id)).toEqual([first, third, second]);
  });

  it("toggles automatic dispatch and keeps the other settings", async () => {
    const { project, actions } = await started();
    const before = await project.call("fleet.settings", {});
    await actions.auto(true);
    expect(await project.call("fleet.settings", {})).toEqual({ ...before, auto_dispatch: true });
  });

  it("reports a failed read, and reads again on request", async () => {
    const app = new App(fakeHost(new URLSearchParams("with=fleet-failed")));
    app.start();
    await vi.waitFor(() => expect(app.project).not.toBeNull());
    app.project?.fleet.open();
    await vi.waitFor(() => expect(app.project?.fleet.overview.error?.code).toBe("io"));
  });
});
