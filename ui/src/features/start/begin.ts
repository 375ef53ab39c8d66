/** Starts a session and shows it. */
import type { SessionStartParams } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import type { Project } from "../../state/project.svelte";
import type { StartChoice } from "./choice.svelte";

export async function begin(app: App, project: Project, choice: StartChoice, params: SessionStartParams): Promise<void> {
  const { session, warnings } = await project.call("session.start", { ...choice.params(), ...params });
  choice.keep();
  project.sessions.put(session);
  app.dialogs.close();
  app.dialogs.showBead(null);
  project.layout.openSession(session.id);
  warnings.forEach((warning) => app.toasts.done(warning));
  void project.beads.reload();
}
