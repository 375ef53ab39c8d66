/** The menu of actions in a bead's sheet. */
import Check from "@lucide/svelte/icons/check";
import Copy from "@lucide/svelte/icons/copy";
import GitPullRequest from "@lucide/svelte/icons/git-pull-request";
import Play from "@lucide/svelte/icons/play";
import RotateCcw from "@lucide/svelte/icons/rotate-ccw";
import Trash from "@lucide/svelte/icons/trash-2";
import UserRound from "@lucide/svelte/icons/user-round";
import type { MenuEntry } from "../../components/menu";
import type { Bead } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import { askApprove, askClose, askDelete, askReject, askReopen, askSubmit } from "../../state/bead-actions";
import { columnOf } from "../../state/beads.svelte";
import type { Project } from "../../state/project.svelte";
import { copyId } from "../board/card-menu";

export function sheetMenu(app: App, project: Project, bead: Bead): MenuEntry[] {
  const column = columnOf(bead);
  const { edits } = project;
  const { id } = bead;
  const entries: MenuEntry[] = [];
  if (column === "ready")
    entries.push({ label: "Start work…", icon: Play, run: () => app.dialogs.show({ kind: "start-work", bead: id }) });
  if (column === "in_review")
    entries.push({
      label: "Review…",
      icon: GitPullRequest,
      run: () => app.dialogs.showFleet({ kind: "review", bead: id }),
    });
  entries.push({ label: "Copy ID", icon: Copy, run: () => void copyId(app, [id]) });
  if (edits.readOnly !== null) return entries;
  entries.push({ kind: "separator" });
  if (column === "ready") entries.push({ label: "Assign to me", icon: UserRound, run: () => void edits.claim(id) });
  if (column === "in_progress")
    entries.push({ label: "Move to In review", icon: GitPullRequest, run: () => askSubmit(app, project, id) });
  if (column === "in_review") {
    entries.push({ label: "Approve…", icon: Check, run: () => askApprove(app, id) });
    entries.push({ label: "Request changes…", icon: RotateCcw, run: () => askReject(app, id) });
  }
  if (column === "closed") entries.push({ label: "Reopen…", icon: RotateCcw, run: () => askReopen(app, id) });
  else entries.push({ label: "Close…", icon: Check, run: () => askClose(app, [id]) });
  const support = edits.capabilities?.delete ?? "no";
  if (support !== "no")
    entries.push(
      { kind: "separator" },
      {
        label: support === "undoable" ? "Delete" : "Delete…",
        icon: Trash,
        danger: true,
        run: () => askDelete(app, project, bead),
      },
    );
  return entries;
}
