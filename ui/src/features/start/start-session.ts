/** Starts a session and opens it. */
import type { SessionId, SessionStartParams } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import type { Project } from "../../state/project.svelte";
import { notice } from "../../words/errors";
import type { StartChoice } from "./choice.svelte";

export async function startSession(
  app: App,
  project: Project,
  choice: StartChoice,
  params: SessionStartParams,
): Promise<void> {
  const { open: mine, bead } = app.dialogs;
  // The dialog closes once the session's host runs. The result of Claude's start is reported later.
  const { session, warnings } = await project.call("session.start", { ...choice.params(), ...params, at_once: true });
  choice.keep();
  project.sessions.put(session);
  app.dialogs.close(mine);
  // Closes only the sheet in which the user started the session.
  if (app.dialogs.open === null && app.dialogs.bead === bead) app.dialogs.showBead(null);
  project.layout.openSession(session.id);
  warnings.forEach((warning) => app.toasts.done(notice(warning)));
  void project.beads.reload();
  void reportStart(app, project, session.id);
}

/** Shows the warnings or the error of Claude's start. The session shows its new state. */
async function reportStart(app: App, project: Project, id: SessionId): Promise<void> {
  try {
    const { session, warnings } = await project.call("session.started", { id });
    project.sessions.put(session);
    warnings.forEach((warning) =>
      app.toasts.done(notice(warning), { label: "Open", run: () => project.layout.openSession(id) }),
    );
  } catch (thrown) {
    app.toasts.error(thrown, { label: "Open", run: () => project.layout.openSession(id) });
  }
}
