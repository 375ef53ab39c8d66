/** Starts a session and shows it. */
import type { SessionStartParams } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import type { Project } from "../../state/project.svelte";
import type { StartChoice } from "./choice.svelte";

export async function begin(app: App, project: Project, choice: StartChoice, params: SessionStartParams): Promise<void> {
  const { open: mine, bead } = app.dialogs;
  const { session, warnings } = await project.call("session.start", { ...choice.params(), ...params });
  choice.keep();
  project.sessions.put(session);
  app.dialogs.close(mine);
  // What was opened while it started is somebody's work by now: only what it was begun from makes room.
  if (app.dialogs.open === null && app.dialogs.bead === bead) app.dialogs.showBead(null);
  project.layout.openSession(session.id);
  warnings.forEach((warning) => app.toasts.done(warning));
  void project.beads.reload();
}
