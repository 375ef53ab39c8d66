/** Moves beads between columns. Moves that need a text or consent open a dialog first. */
import type { Bead } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import { askApprove, askClose, askReject, askSubmit } from "../../state/bead-actions";
import { COLUMNS, type ColumnId } from "../../state/beads.svelte";
import type { Project } from "../../state/project.svelte";
import { moveOf, type Effect, type Facts } from "./moves";

export function factsOf(app: App, project: Project, bead: Bead): Facts {
  return {
    readOnly: project.info?.tracker.writable === false || project.edits.readOnly !== null,
    statuses: project.edits.capabilities?.statuses ?? null,
    me: app.info?.display_name ?? null,
    running: project.sessions.ofBead.get(bead.id)?.status === "active",
    now: app.clock.now,
  };
}

/** Moves a bead to a column, or shows why that is invalid. */
export function move(app: App, project: Project, bead: Bead, to: ColumnId): void {
  // The card may show an older version of the bead.
  const now = project.beads.get(bead.id) ?? bead;
  const one = moveOf(now, to, factsOf(app, project, now));
  if (one.valid) carryOut(app, project, now, one.effect);
  else if (one.why) {
    const name = COLUMNS.find(({ id }) => id === to)?.name;
    app.toasts.done(`${now.id} cannot move to ${name}: ${one.why}`);
  }
}

function carryOut(app: App, project: Project, bead: Bead, effect: Effect): void {
  const { edits } = project;
  const { id } = bead;
  const before = { before: bead };
  switch (effect) {
    case "claim":
      return void edits.claim(id);
    case "submit":
      return askSubmit(app, project, id);
    case "request_changes":
      return askReject(app, id);
    case "approve":
      return askApprove(app, id);
    case "close":
      return askClose(app, [id]);
    case "reopen":
      return void edits.reopen(id);
    case "release":
      return void edits.change(id, { status: "open", assignee: "" }, before);
    case "block":
      return void edits.change(id, { status: "blocked" }, before);
    case "unblock":
      return void edits.change(id, { status: "open" }, before);
    case "undefer":
      // The status `deferred` ends together with the date.
      return void edits.change(id, { defer: "", ...(bead.status === "deferred" ? { status: "open" } : {}) }, before);
  }
}
