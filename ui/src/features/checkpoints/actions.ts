/** Restores files and forks sessions. Toasts show the results; a confirmation comes first where it is needed. */
import type { FilesRestored } from "../../generated/api";
import { asCallError } from "../../platform";
import type { App } from "../../state/app.svelte";
import type { Project } from "../../state/project.svelte";
import { plural } from "../../words/count";
import { notice } from "../../words/errors";
import { sentence, visible } from "../../words/text";
import type { Checkpoints } from "./checkpoints.svelte";

type Target = Pick<App, "toasts" | "dialogs">;

/** The result of a restore, as one line. */
export function resultOf({ written, deleted, skipped }: FilesRestored): string {
  const first = written[0] ?? deleted[0];
  const count = written.length + deleted.length;
  const done = count === 1 && first ? `Restored ${visible(first)}` : `Restored ${plural(count, "file")}`;
  const [left] = skipped;
  if (!left) return done;
  const more = skipped.length > 1 ? ` and ${skipped.length - 1} more` : "";
  return `${done}. Skipped: ${visible(left.path)} (${visible(left.why)})${more}`;
}

/** Restores files of a checkpoint, or all if `files` is empty, then calls `refresh`. If the engine requires a
 * confirmation, asks for it first. */
export async function restore(
  app: Target,
  checkpoints: Checkpoints,
  checkpoint: number,
  files: readonly string[],
  refresh: () => void,
  anyway = false,
): Promise<void> {
  try {
    const restored = await checkpoints.restore(checkpoint, files, anyway);
    refresh();
    const { undo } = restored;
    if (undo === null) app.toasts.done("The files are in this state already.");
    else
      app.toasts.done(resultOf(restored), {
        label: "Undo",
        run: () => void restore(app, checkpoints, undo, files, refresh),
      });
  } catch (thrown) {
    const error = asCallError(thrown);
    if (error.code !== "confirmation_needed" || anyway) return void app.toasts.error(error);
    app.dialogs.show({
      kind: "confirm",
      title: "Restore files?",
      text: `${sentence(error.message)} The current files are kept, and the restore can be undone.`,
      action: "Restore anyway",
      danger: true,
      run: () => void restore(app, checkpoints, checkpoint, files, refresh, true),
    });
  }
}

/** Starts a session with the files and the conversation before a turn, and opens it. */
export async function fork(
  app: Target,
  project: Pick<Project, "sessions" | "layout">,
  checkpoints: Checkpoints,
  { checkpoint, turn }: { checkpoint: number; turn: number },
): Promise<void> {
  try {
    const { session, warnings } = await checkpoints.fork(checkpoint, turn);
    project.sessions.put(session);
    project.layout.openSession(session.id);
    app.toasts.done(`Session started from turn ${turn}`);
    warnings.forEach((warning) => app.toasts.done(notice(warning)));
  } catch (thrown) {
    app.toasts.error(thrown);
  }
}
