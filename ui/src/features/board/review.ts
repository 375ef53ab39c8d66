/** Opens the work of a bead in review. */
import type { Bead } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import type { Project } from "../../state/project.svelte";
import { SessionActions } from "../../state/session-actions";

/**
 * Shows the review sheet if the bead has work that the fleet can review. Otherwise shows the changes of the bead's
 * session, or else the bead itself.
 */
export async function review(app: App, project: Project, bead: Bead): Promise<void> {
  const session = project.sessions.list.find((one) => one.bead_id === bead.id && one.status !== "draft");
  if (await hasReview(project, bead)) app.dialogs.showFleet({ kind: "review", bead: bead.id });
  else if (session) {
    new SessionActions(app, project).open(session);
    project.layout.set({ tab: "changes" });
  } else app.dialogs.showBead(bead.id);
}

async function hasReview(project: Project, { id }: Bead): Promise<boolean> {
  try {
    await project.call("fleet.review", { bead: id });
    return true;
  } catch {
    return false;
  }
}
