import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeHost } from "../../platform/fake";
import { App } from "../../state/app.svelte";
import { Cursor } from "./cursor.svelte";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

async function started() {
  const app = new App(fakeHost(new URLSearchParams()));
  app.start();
  await vi.waitFor(() => expect(app.project?.sessions.phase.state).toBe("ready"));
  if (!app.project) throw new Error("a project is open");
  const { fleet } = app.project;
  fleet.open();
  await vi.waitFor(() => expect(fleet.overview.value).not.toBeNull());
  return { app, project: app.project, fleet };
}

describe("fleet cursor", () => {
  it("moves over agents and ready beads, and stops at both ends", async () => {
    const { app, project, fleet } = await started();
    const cursor = new Cursor(app, project);
    expect(cursor.step(-1)).toBe("agent:polecat-4f1c9a07be");
    expect(cursor.step(-1)).toBe("agent:polecat-4f1c9a07be");
    expect(cursor.step(fleet.shown.length)).toBe("ready:BC-101");
    expect(cursor.step(1000)).toBe(cursor.places.at(-1));
  });

  it("runs the action of the row's button", async () => {
    const { app, project, fleet } = await started();
    const cursor = new Cursor(app, project);
    cursor.step(1);
    cursor.act();
    expect(project.layout.session).toBe(fleet.agents[0]?.session_id);
    cursor.at = "agent:crew-mira";
    cursor.act();
    expect(app.dialogs.open).toEqual({ kind: "fleet-assign", agent: "crew-mira" });
    cursor.at = "ready:BC-101";
    cursor.act();
    await vi.waitFor(() => expect(fleet.agents.some(({ bead }) => bead === "BC-101")).toBe(true));
  });
});
