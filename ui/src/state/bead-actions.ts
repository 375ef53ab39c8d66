/** Actions on a bead that can ask the user first: for a reason, for consent, or for a confirmation. */
import type { Bead, BeadId } from "../generated/api";
import type { App } from "./app.svelte";
import type { Project } from "./project.svelte";

/** Asks for the reason, then closes the beads. */
export function askClose(app: App, beads: readonly BeadId[]): void {
  app.dialogs.show({ kind: "bead-reason", act: "close", beads });
}

/** Asks for the reason, then closes the bead in review. */
export function askApprove(app: App, bead: BeadId): void {
  app.dialogs.show({ kind: "bead-reason", act: "approve", beads: [bead] });
}

/** Asks what should change, then sends the bead back to its agent. */
export function askReject(app: App, bead: BeadId): void {
  app.dialogs.show({ kind: "bead-reason", act: "reject", beads: [bead] });
}

export function askReopen(app: App, bead: BeadId): void {
  app.dialogs.show({ kind: "bead-reason", act: "reopen", beads: [bead] });
}

/**
 * Moves a bead to in review. For a bead with an active or paused session, opens the dialog that ends the session. If
 * the tracker lacks this status, asks the user for consent to add it.
 */
export function askSubmit(app: App, project: Project, bead: BeadId): void {
  const session = project.sessions.ofBead.get(bead);
  if (session && session.status !== "closed" && session.status !== "draft")
    return app.dialogs.show({ kind: "end-session", session: session.id });
  const needsConsent = project.edits.capabilities?.submit_needs_consent ?? project.info?.tracker.submit_needs_consent;
  if (needsConsent !== true) return void submit(app, project, bead, false);
  app.dialogs.show({
    kind: "confirm",
    title: "Add the status in_review to the tracker?",
    text:
      "This project's tracker has no In review status yet. It is added once to the custom statuses, for " +
      "everyone on this project.",
    action: "Add and move",
    danger: false,
    run: () => void submit(app, project, bead, true),
  });
}

/** The engine refuses work without a commit; the user can then submit it anyway. */
async function submit(app: App, project: Project, bead: BeadId, addStatus: boolean): Promise<void> {
  const { error } = await project.edits.submit(bead, { addStatus, silentErrors: true });
  if (error && error.code !== "commit_missing") return project.edits.report(error);
  if (!error) return reloadCapabilities(project, addStatus);
  app.dialogs.show({
    kind: "confirm",
    title: `Submit ${bead} without a commit?`,
    text: error.message,
    action: "Submit without a commit",
    danger: false,
    run: () =>
      void project.edits
        .submit(bead, { addStatus, withoutCommit: true })
        .then(() => reloadCapabilities(project, addStatus)),
  });
}

/** Reloads the capabilities if the status was added, because later submissions need no consent. */
async function reloadCapabilities(project: Project, addStatus: boolean): Promise<void> {
  if (addStatus) await project.edits.load();
}

/** Deletes a bead: with undo where the tracker can restore it, else after a confirmation. */
export function askDelete(app: App, project: Project, bead: Pick<Bead, "id" | "title" | "unblocks">): void {
  const run = () => {
    if (app.dialogs.bead === bead.id) app.dialogs.showBead(null);
    void project.edits.delete(bead.id);
  };
  if (project.edits.capabilities?.delete === "undoable") return run();
  const waiting = bead.unblocks.length;
  app.dialogs.show({
    kind: "confirm",
    title: `Delete ${bead.id}?`,
    text:
      `${bead.title}. This tracker cannot restore deleted beads.` +
      (waiting > 0 ? ` ${waiting === 1 ? "One bead" : `${waiting} beads`} will no longer be blocked by it.` : ""),
    action: "Delete",
    danger: true,
    run,
  });
}
