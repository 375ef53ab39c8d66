/** Bead actions for cards and sheets. */
import Check from "@lucide/svelte/icons/check";
import Copy from "@lucide/svelte/icons/copy";
import GitPullRequest from "@lucide/svelte/icons/git-pull-request";
import Play from "@lucide/svelte/icons/play";
import UserRound from "@lucide/svelte/icons/user-round";
import { copyText } from "../../components/copy";
import type { MenuEntry } from "../../components/menu";
import type { Bead, BeadShown } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import { columnOf } from "../../state/beads.svelte";
import type { Project } from "../../state/project.svelte";

export async function copyId(app: App, ids: string[]): Promise<void> {
  if (await copyText(ids.join(" ")))
    app.toasts.done(ids.length === 1 ? `Copied ${ids[0]}` : `Copied ${ids.length} IDs`);
  else app.toasts.error(new Error("The clipboard is not available here. Select the ID and copy it."));
}

export function entriesOf(app: App, project: Project, bead: Bead): MenuEntry[] {
  const column = columnOf(bead);
  const open = column !== "closed";
  const writable = project.info?.tracker.writable !== false;
  const change = (work: () => Promise<BeadShown>, said: string) => () => void run(app, project, work, said);
  const entries: MenuEntry[] = [];
  if (column === "ready")
    entries.push({
      label: "Start work…",
      icon: Play,
      run: () => app.dialogs.show({ kind: "start-work", bead: bead.id }),
    });
  if (column === "in_review")
    entries.push({
      label: "Review…",
      icon: GitPullRequest,
      run: () => app.dialogs.showFleet({ kind: "review", bead: bead.id }),
    });
  entries.push({ label: "Copy ID", icon: Copy, run: () => void copyId(app, [bead.id]) });
  if (open && writable) {
    entries.push({ kind: "separator" });
    if (column === "ready") {
      entries.push({
        label: "Assign to me",
        icon: UserRound,
        run: change(() => project.call("bead.claim", { id: bead.id }), `${bead.id} moved to In progress`),
      });
    }
    if (column === "in_progress") {
      entries.push({ label: "Move to In review", icon: GitPullRequest, run: () => askSubmit(app, project, bead) });
    }
    entries.push({ label: "Close…", icon: Check, run: () => askClose(app, project, [bead]) });
  }
  return entries;
}

export function askSubmit(app: App, project: Project, bead: Bead): void {
  const submit = () =>
    void run(
      app,
      project,
      () => project.call("bead.submit", { id: bead.id, add_status: true }),
      `${bead.id} moved to In review`,
    );
  if (!project.info?.tracker.submit_needs_consent) return submit();
  app.dialogs.show({
    kind: "confirm",
    title: "Add the status in_review to the tracker?",
    text:
      "This project's tracker has no In review status yet. It is added once to the custom statuses, for " +
      "everyone on this project.",
    action: "Add and move",
    danger: false,
    run: submit,
  });
}

export function askClose(app: App, project: Project, beads: Bead[]): void {
  const [first] = beads;
  const one = beads.length === 1 && first;
  app.dialogs.show({
    kind: "confirm",
    title: one ? `Close ${first.id}?` : `Close ${beads.length} beads?`,
    text: one ? first.title : beads.map((b) => b.id).join(", "),
    action: "Close",
    danger: false,
    run: () => {
      for (const { id } of beads) void run(app, project, () => project.call("bead.close", { id }), `${id} closed`);
    },
  });
}

async function run(app: App, project: Project, work: () => Promise<BeadShown>, said: string): Promise<void> {
  try {
    await work();
    app.toasts.done(said);
    await project.beads.reload();
  } catch (thrown) {
    app.toasts.error(thrown);
  }
}
