import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeHost } from "../../platform/fake";
import { App } from "../../state/app.svelte";
import { begin } from "./begin";
import { StartChoice } from "./choice.svelte";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

/** A start on a bead, from its sheet; what the person does before the answer is `meanwhile`. */
async function begun(meanwhile: (app: App) => void) {
  const app = new App(fakeHost(new URLSearchParams()));
  app.start();
  await vi.waitFor(() => expect(app.project?.sessions.phase.state).toBe("ready"));
  if (!app.project) throw new Error("a project is open");
  app.dialogs.showBead("BC-101");
  app.dialogs.show({ kind: "start-work", bead: "BC-101" });
  const began = begin(app, app.project, new StartChoice(app, app.project), { bead_id: "BC-101", branch: "late", simulated: true });
  meanwhile(app);
  await began;
  return [app.dialogs.open?.kind, app.dialogs.bead];
}

describe("a session that began", () => {
  it("makes room for itself", async () => {
    expect(await begun(() => {})).toEqual([undefined, null]);
    expect(await begun(({ dialogs }) => dialogs.close())).toEqual([undefined, null]);
  });

  it("leaves what was opened while it started", async () => {
    expect(await begun(({ dialogs }) => dialogs.show({ kind: "create-bead" }))).toEqual(["create-bead", "BC-101"]);
    const other = ({ dialogs }: App) => {
      dialogs.close();
      dialogs.showBead("BC-102");
    };
    expect(await begun(other)).toEqual([undefined, "BC-102"]);
  });
});
