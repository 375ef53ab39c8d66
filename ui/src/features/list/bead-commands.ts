/** The commands on one bead, for the views of the beads that have no cards. */
import type { BeadId } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import type { Project } from "../../state/project.svelte";
import { copyId } from "../board/card-menu";

/** `current` is the bead that the commands act on; without one, they do nothing. */
export function beadCommands(app: App, project: Project, current: () => BeadId | null) {
  const under = (act: (id: BeadId) => void) => () => {
    const id = current();
    if (id !== null) act(id);
  };
  return {
    "board.open": under((id) => app.dialogs.showBead(id)),
    "board.copy": under((id) => void copyId(app, [id])),
    "board.select": under((id) => project.board.select(id)),
    "board.start": under((id) => {
      if (project.beads.get(id)?.ready) app.dialogs.show({ kind: "start-work", bead: id });
      else app.toasts.done(`${id} is not ready to start`);
    }),
  };
}
