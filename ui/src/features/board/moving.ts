/** Carries out moves. Those with a text open their dialog first. */
import type { Bead, BeadId } from "../../generated/api";
import type { CallError } from "../../platform";
import type { App } from "../../state/app.svelte";
import type { Outcome } from "../../state/bead-edits.svelte";
import type { ColumnId } from "../../state/beads.svelte";
import type { Project } from "../../state/project.svelte";
import { columnName, moveOf, type Effect, type Facts } from "./moves";

export function factsOf(app: App, project: Project, bead: Bead): Facts {
  const tracker = project.info?.tracker;
  return {
    readOnly: tracker?.writable === false ? "Beads are read-only here" : null,
    statuses: project.edits.capabilities?.statuses ?? null,
    me: app.info?.display_name ?? null,
    running: project.sessions.ofBead.get(bead.id)?.status === "active",
    now: app.clock.now,
  };
}

/** Moves a bead to a column, or says why not. */
export function move(app: App, project: Project, bead: Bead, to: ColumnId): void {
  // A card on screen may be older than the list.
  const now = project.beads.get(bead.id) ?? bead;
  const one = moveOf(now, to, factsOf(app, project, now));
  if (!one.valid) {
    if (one.why) app.toasts.done(`${now.id} cannot move to ${columnName(to)}: ${one.why}`);
  } else if (one.asks) app.dialogs.show({ kind: "move", bead: now.id, to });
  else if (one.effect === "submit") askSubmit(app, project, now);
  else void carryOut(project, now, one.effect);
}

/** The text is the reason, or the requested changes. Reports a refusal unless the dialog shows it. */
export async function carryOut(
  project: Project,
  bead: Bead,
  effect: Effect,
  { text = "", quiet = false }: { text?: string; quiet?: boolean } = {},
): Promise<CallError | null> {
  const { error } = await command(project, bead, effect, text.trim(), quiet);
  if (!error && (effect === "close" || effect === "approve")) void project.next.offer(bead.id);
  return error;
}

function command(project: Project, bead: Bead, effect: Effect, text: string, quiet: boolean): Promise<Outcome> {
  const { edits } = project;
  const { id } = bead;
  const options = { before: bead };
  switch (effect) {
    case "claim":
      return edits.claim(id);
    case "submit":
      return edits.submit(id);
    case "request_changes":
      return edits.reject(id, text, { quietErrors: quiet });
    case "approve":
      return edits.approve(id, text || undefined, { quietErrors: quiet });
    case "close":
      return edits.close(id, text || undefined, { quietErrors: quiet });
    case "reopen":
      return edits.reopen(id);
    case "release":
      return edits.change(id, { status: "open", assignee: "" }, options);
    case "block":
      return edits.change(id, { status: "blocked" }, options);
    case "unblock":
      return edits.change(id, { status: "open" }, options);
    case "undefer":
      // A status `deferred` ends with its date.
      return edits.change(id, { defer: "", ...(bead.status === "deferred" ? { status: "open" } : {}) }, options);
  }
}

export function askSubmit(app: App, project: Project, bead: Bead): void {
  const needs = project.edits.capabilities?.submit_needs_consent ?? project.info?.tracker.submit_needs_consent;
  if (!needs) return void submit(app, project, bead.id, {});
  app.dialogs.show({
    kind: "confirm",
    title: "Add the status in_review to the tracker?",
    text:
      "This project's tracker has no In review status yet. It is added once to the custom statuses, for " +
      "everyone on this project.",
    action: "Add and move",
    danger: false,
    run: () => void submit(app, project, bead.id, { addStatus: true }),
  });
}

/** The tracker refuses work without a commit; the user may submit it anyway. */
async function submit(
  app: App,
  project: Project,
  id: BeadId,
  how: { addStatus?: boolean; withoutCommit?: boolean },
): Promise<void> {
  const { error } = await project.edits.submit(id, { ...how, quietErrors: true });
  if (!error) return;
  if (error.code !== "commit_needed" || how.withoutCommit) return void app.toasts.error(error);
  app.toasts.error(error, {
    label: "Submit without a commit",
    run: () => void submit(app, project, id, { ...how, withoutCommit: true }),
  });
}
