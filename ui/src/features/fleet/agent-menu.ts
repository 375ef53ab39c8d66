/** The menu of an agent's row. */
import ArrowRightLeft from "@lucide/svelte/icons/arrow-right-left";
import ClipboardList from "@lucide/svelte/icons/clipboard-list";
import GitPullRequest from "@lucide/svelte/icons/git-pull-request";
import Megaphone from "@lucide/svelte/icons/megaphone";
import PanelRight from "@lucide/svelte/icons/panel-right";
import Pause from "@lucide/svelte/icons/pause";
import Pencil from "@lucide/svelte/icons/pencil";
import Play from "@lucide/svelte/icons/play";
import SquareTerminal from "@lucide/svelte/icons/square-terminal";
import Undo2 from "@lucide/svelte/icons/undo-2";
import UserMinus from "@lucide/svelte/icons/user-minus";
import type { MenuEntry } from "../../components/menu";
import type { FleetAgentNow } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import { FleetActions, hasLiveSession } from "../../state/fleet-actions";
import { panesOf, withPane } from "../../state/panes";
import type { Project } from "../../state/project.svelte";
import type { RecoveryAction } from "../../words/fleet";

export function runRecovery(app: App, project: Project, agent: FleetAgentNow, what: RecoveryAction): void {
  const actions = new FleetActions(app, project);
  if (what === "open") actions.open(agent);
  else if (what === "resume") void actions.recover(agent, what);
  else actions.takeWork(agent, what);
}

export function entriesOf(app: App, project: Project, agent: FleetAgentNow): MenuEntry[] {
  const actions = new FleetActions(app, project);
  const { state, bead, session_id, identity } = agent;
  const live = hasLiveSession(agent);
  // With a live session, a confirmation follows.
  const dots = live ? "…" : "";
  const entries: MenuEntry[] = [];
  if (state === "idle" && !bead)
    entries.push({
      label: "Assign work…",
      icon: ClipboardList,
      run: () => app.dialogs.show({ kind: "fleet-assign", agent: identity.id }),
    });
  if (session_id) {
    entries.push({ label: "Open session", icon: PanelRight, run: () => actions.open(agent) });
    if (live)
      entries.push({ label: "Show terminal here", icon: SquareTerminal, run: () => showTerminal(project, session_id) });
  }
  if (live) {
    entries.push({
      label: "Send message…",
      icon: Megaphone,
      run: () => app.dialogs.show({ kind: "fleet-broadcast", agents: [identity.id] }),
    });
    entries.push({ label: "Pause", icon: Pause, run: () => void actions.stop(agent) });
  } else if (bead && !session_id) {
    entries.push({ label: "Start", description: "opens a session", icon: Play, run: () => void actions.start(agent) });
  }
  if ((state === "paused" || state === "interrupted") && session_id)
    entries.push({
      label: "Resume",
      description: "continues its session",
      icon: Play,
      run: () => void actions.recover(agent, "resume"),
    });
  if (bead) {
    entries.push({ kind: "separator" });
    entries.push({
      label: `Reassign${dots}`,
      description: "another agent continues the branch",
      icon: ArrowRightLeft,
      run: () => actions.takeWork(agent, "reassign"),
    });
    entries.push({
      label: `Release${dots}`,
      description: "unassigns the bead",
      icon: Undo2,
      run: () => actions.takeWork(agent, "release"),
    });
    entries.push({
      label: "Review changes…",
      icon: GitPullRequest,
      run: () => app.dialogs.showFleet({ kind: "review", bead }),
    });
  }
  entries.push({ kind: "separator" });
  entries.push({
    label: "Rename…",
    icon: Pencil,
    run: () => app.dialogs.show({ kind: "fleet-rename", agent: identity.id, name: agent.name }),
  });
  entries.push({ label: "Retire…", icon: UserMinus, danger: true, run: () => actions.askRetire(agent) });
  return entries;
}

function showTerminal(project: Project, session: string): void {
  const { layout, sessions } = project;
  layout.set({ view: "fleet", fleet: "terminals", panes: withPane(panesOf(layout.panes, sessions.list), session) });
}
