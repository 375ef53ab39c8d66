/** The menu of a card. The sheet's menu is in `features/bead/sheet-menu.ts`. */
import BellOff from "@lucide/svelte/icons/bell-off";
import Check from "@lucide/svelte/icons/check";
import Copy from "@lucide/svelte/icons/copy";
import GitPullRequest from "@lucide/svelte/icons/git-pull-request";
import PanelRight from "@lucide/svelte/icons/panel-right";
import Play from "@lucide/svelte/icons/play";
import SquareCheck from "@lucide/svelte/icons/square-check";
import { copyText } from "../../components/copy";
import type { MenuEntry } from "../../components/menu";
import type { Bead } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import { COLUMNS, columnOf } from "../../state/beads.svelte";
import type { Project } from "../../state/project.svelte";
import { movesOf } from "./moves";
import { factsOf, move } from "./move-actions";
import { review } from "./review";

/** Copies the IDs, separated by spaces, and shows the result as a toast. */
export async function copyId(app: App, ids: string[]): Promise<void> {
  if (await copyText(ids.join(" ")))
    app.toasts.done(ids.length === 1 ? `Copied ${ids[0]}` : `Copied ${ids.length} IDs`);
  else app.toasts.error(new Error("The clipboard is not available here. Select the ID and copy it."));
}

export function entriesOf(app: App, project: Project, bead: Bead): MenuEntry[] {
  const column = columnOf(bead);
  const writable = project.info?.tracker.writable !== false;
  const entries: MenuEntry[] = [
    { label: "Open", icon: PanelRight, keys: "↵", run: () => app.dialogs.showBead(bead.id) },
  ];
  if (column === "ready")
    entries.push({
      label: "Start work…",
      icon: Play,
      keys: "S",
      run: () => app.dialogs.show({ kind: "start-work", bead: bead.id }),
    });
  if (column === "in_review") {
    entries.push({ label: "Review…", icon: GitPullRequest, run: () => void review(app, project, bead) });
    if (writable) entries.push({ label: "Approve…", icon: Check, run: () => move(app, project, bead, "closed") });
  }
  if (writable && column !== null) entries.push(...moveEntries(app, project, bead));
  entries.push({ kind: "separator" });
  entries.push({
    label: project.board.selected.has(bead.id) ? "Deselect" : "Select",
    icon: SquareCheck,
    keys: "X",
    run: () => project.board.select(bead.id),
  });
  entries.push({ label: "Copy ID", icon: Copy, keys: "Y", run: () => void copyId(app, [bead.id]) });
  if (project.stale.of(bead.id, app.clock.now))
    entries.push({
      label: "Dismiss stale for a day",
      icon: BellOff,
      run: () => project.stale.dismiss(bead.id, app.clock.now),
    });
  return entries;
}

/** The moves to the other columns; invalid ones are disabled and give the reason. */
export function moveEntries(app: App, project: Project, bead: Bead): MenuEntry[] {
  const entries = movesOf(bead, factsOf(app, project, bead)).map(({ to, name, move: one }): MenuEntry => {
    const key = `${COLUMNS.findIndex(({ id }) => id === to) + 1}`;
    return {
      label: name,
      description: one.valid ? (one.label.startsWith("Move to") ? undefined : one.label) : one.why,
      keys: one.valid ? key : undefined,
      press: one.valid ? key : undefined,
      disabled: !one.valid,
      run: () => move(app, project, bead, to),
    };
  });
  return entries.length === 0 ? [] : [{ kind: "heading", label: "Move to" }, ...entries];
}
