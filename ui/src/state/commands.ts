/**
 * Every command that the palette, a key or a menu can run. A feature that acts on its own screen
 * (the board's cursor, a session's tabs) lends its part with `provide`.
 */
import type { App } from "./app.svelte";
import type { View } from "./layout.svelte";
import { SessionActions } from "./session-actions";

type Digit = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

export type CommandId =
  | "palette" | "help" | "search" | "sidebar" | "settings" | "project.settings" | "browser"
  | "view.board" | "view.history" | "view.insight" | "view.memory" | "view.fleet"
  | "bead.create" | "project.open" | "project.initialise" | "project.agents"
  | "memory.new" | "memory.import" | "memory.prime" | "memory.graph" | "memory.down" | "memory.up" | "memory.open" | "memory.select" | "memory.nearer" | "memory.farther" | "memory.fit" | "project.hooks" | "project.hook_runs" | "project.backup" | "project.worktrees"
  | "session.new" | "session.pause" | "session.resume" | "session.resume_with" | "session.end" | "session.export" | "session.export_with" | "session.export_found" | "session.figures" | "session.old" | "session.interrupt" | "session.mode"
  | `session.switch.${Digit}`
  | "panel.close" | "panel.fill" | "panel.terminal" | "panel.chat" | "panel.changes" | "panel.beside" | "panel.context" | "panel.timeline" | "transcript.find"
  | "theme.dark" | "theme.light" | "theme.system"
  | "board.left" | "board.down" | "board.up" | "board.right" | "board.open" | "board.start" | "board.select" | "board.copy" | "board.filters"
  | "fleet.down" | "fleet.up" | "fleet.open" | "fleet.act" | "fleet.select" | "fleet.agent" | "fleet.convoy" | "fleet.hand_out" | "fleet.broadcast" | "fleet.pause" | "fleet.settings"
  | "fleet.terminals" | "fleet.pane_next" | "fleet.pane_before" | "fleet.pane_zoom";

export interface Command {
  id: CommandId;
  title: string;
  group: "Go to" | "Beads" | "Memory" | "Fleet" | "Session" | "Project" | "Window";
  /** Whether it can run now. */
  can?: (() => boolean) | undefined;
  run: () => void;
}

/** What features lend: the newest provider of a command runs. */
export class Provided {
  readonly #stacks = new Map<CommandId, (() => void)[]>();

  provide(commands: Partial<Record<CommandId, () => void>>): () => void {
    const entries = Object.entries(commands) as [CommandId, () => void][];
    for (const [id, run] of entries) this.#stacks.set(id, [...(this.#stacks.get(id) ?? []), run]);
    return () => {
      for (const [id, run] of entries) {
        this.#stacks.set(id, (this.#stacks.get(id) ?? []).filter((other) => other !== run));
      }
    };
  }

  get(id: CommandId): (() => void) | undefined {
    return this.#stacks.get(id)?.at(-1);
  }
}

export function commandsOf(app: App): Command[] {
  const project = () => app.project;
  const session = () => project()?.sessions.get(project()?.layout.session);
  const on = (act: (actions: SessionActions, it: NonNullable<ReturnType<typeof session>>) => unknown) => () => {
    const [here, it] = [project(), session()];
    if (here && it) void act(new SessionActions(app, here), it);
  };
  const lent = (id: CommandId, title: string, group: Command["group"]): Command => ({
    id,
    title,
    group,
    can: () => app.provided.get(id) !== undefined,
    run: () => app.provided.get(id)?.(),
  });
  const go = (view: View) => () => project()?.layout.set({ view, fill: false });
  const here = () => project() !== null;
  const status = (...wanted: string[]) => () => wanted.includes(session()?.status ?? "");

  return [
    { id: "palette", title: "Go to or run…", group: "Window", run: () => app.dialogs.show({ kind: "palette" }) },
    { id: "view.board", title: "Board", group: "Go to", can: here, run: go("board") },
    { id: "view.history", title: "History", group: "Go to", can: here, run: go("history") },
    { id: "view.insight", title: "Insight", group: "Go to", can: here, run: go("insight") },
    { id: "view.memory", title: "Memory", group: "Go to", can: here, run: go("memory") },
    { id: "view.fleet", title: "Fleet", group: "Go to", can: here, run: go("fleet") },
    lent("search", "Search this view", "Go to"),
    { id: "bead.create", title: "New bead…", group: "Beads", can: here, run: () => app.dialogs.show({ kind: "create-bead" }) },
    lent("board.open", "Open the bead under the cursor", "Beads"),
    lent("board.start", "Start work on the bead under the cursor…", "Beads"),
    lent("board.select", "Select the bead under the cursor", "Beads"),
    lent("board.copy", "Copy the bead's id", "Beads"),
    lent("board.filters", "Clear the board's filters", "Beads"),
    lent("board.left", "Column to the left", "Beads"),
    lent("board.down", "Next bead", "Beads"),
    lent("board.up", "Previous bead", "Beads"),
    lent("board.right", "Column to the right", "Beads"),
    { id: "memory.new", title: "New memory…", group: "Memory", can: here, run: () => app.dialogs.show({ kind: "remember" }) },
    { id: "memory.import", title: "Take over a MEMORY.md…", group: "Memory", can: here, run: () => app.dialogs.show({ kind: "import-memories" }) },
    { id: "memory.prime", title: "What an agent is told of the memories…", group: "Memory", can: here, run: () => app.dialogs.show({ kind: "prime" }) },
    lent("memory.graph", "Graph of the links between memories", "Memory"),
    lent("memory.down", "Next memory", "Memory"),
    lent("memory.up", "Previous memory", "Memory"),
    lent("memory.open", "Open the memory under the cursor", "Memory"),
    lent("memory.select", "Select the memory under the cursor", "Memory"),
    lent("memory.nearer", "Graph of memories: nearer", "Memory"),
    lent("memory.farther", "Graph of memories: farther away", "Memory"),
    lent("memory.fit", "Graph of memories: all of it", "Memory"),
    { id: "fleet.agent", title: "Add agent…", group: "Fleet", can: here, run: () => app.dialogs.show({ kind: "fleet-agent" }) },
    { id: "fleet.convoy", title: "New convoy…", group: "Fleet", can: here, run: () => app.dialogs.show({ kind: "fleet-convoy" }) },
    { id: "fleet.settings", title: "Limits and settings of the fleet…", group: "Fleet", can: here, run: () => app.dialogs.show({ kind: "fleet-settings" }) },
    lent("fleet.down", "Next agent or ready bead", "Fleet"),
    lent("fleet.up", "Agent or ready bead before", "Fleet"),
    lent("fleet.open", "Open the agent or bead under the cursor", "Fleet"),
    lent("fleet.act", "Help the agent, or hook the bead", "Fleet"),
    lent("fleet.select", "Select the agent under the cursor", "Fleet"),
    lent("fleet.hand_out", "Hand out all ready work", "Fleet"),
    lent("fleet.broadcast", "Tell several agents something…", "Fleet"),
    lent("fleet.pause", "Pause all agents, or go on", "Fleet"),
    { id: "fleet.terminals", title: "Terminals side by side", group: "Fleet", can: here, run: () => sideBySide(project()) },
    lent("fleet.pane_next", "Next terminal", "Fleet"),
    lent("fleet.pane_before", "Terminal before", "Fleet"),
    lent("fleet.pane_zoom", "This terminal alone, or all", "Fleet"),
    { id: "session.new", title: "New session…", group: "Session", can: here, run: () => app.dialogs.show({ kind: "new-session" }) },
    ...([1, 2, 3, 4, 5, 6, 7, 8, 9] as const).map((n): Command => ({
      id: `session.switch.${n}`,
      title: `Switch to session ${n}`,
      group: "Session",
      can: () => (project()?.sessions.shown.length ?? 0) >= n,
      run: () => {
        const [here, it] = [project(), project()?.sessions.shown[n - 1]];
        if (here && it) new SessionActions(app, here).open(it);
      },
    })),
    { id: "session.pause", title: "Pause the session", group: "Session", can: status("active"), run: on((a, s) => a.pause(s)) },
    { id: "session.resume", title: "Resume the session", group: "Session", can: status("paused"), run: on((a, s) => a.resume(s)) },
    { id: "session.resume_with", title: "Resume the session after a look…", group: "Session", can: status("paused"), run: on((a, s) => a.askResume(s)) },
    { id: "session.interrupt", title: "Interrupt claude", group: "Session", can: status("active"), run: on((a, s) => a.interrupt(s)) },
    { id: "session.end", title: "End the session…", group: "Session", can: status("active", "paused", "draft"), run: on((a, s) => a.askEnd(s)) },
    { id: "session.old", title: "Old sessions…", group: "Session", can: here, run: () => app.dialogs.show({ kind: "old-sessions" }) },
    { id: "session.export", title: "Export the session as Markdown", group: "Session", can: () => session() !== undefined, run: on((a, s) => a.export(s)) },
    { id: "session.export_with", title: "Export the session…", group: "Session", can: () => session() !== undefined, run: on((a, s) => a.askExport([s])) },
    lent("session.export_found", "Export the sessions of the history…", "Session"),
    { id: "session.figures", title: "Figures of the session", group: "Session", can: () => session() !== undefined, run: on((a, s) => a.showFigures(s)) },
    lent("session.mode", "Next permission mode", "Session"),
    lent("panel.chat", "Chat", "Go to"),
    lent("panel.terminal", "Terminal", "Go to"),
    lent("panel.changes", "Changes of the session", "Go to"),
    lent("panel.beside", "Changes beside the terminal, or as a tab", "Go to"),
    lent("panel.context", "Context: what claude was told", "Go to"),
    lent("panel.timeline", "Timeline of the session", "Go to"),
    lent("transcript.find", "Find in the transcript", "Go to"),
    { id: "panel.fill", title: "Fill the window with the session", group: "Window", can: () => session() !== undefined, run: () => project()?.layout.set({ fill: !project()?.layout.fill }) },
    { id: "panel.close", title: "Close the session panel", group: "Window", can: () => session() !== undefined, run: () => project()?.layout.closePanel() },
    { id: "sidebar", title: "Fold the sidebar", group: "Window", can: here, run: () => project()?.layout.set({ rail: !project()?.layout.rail }) },
    { id: "project.open", title: "Open another folder…", group: "Project", run: () => app.dialogs.show({ kind: "open-folder" }) },
    { id: "project.initialise", title: "Initialise beads here…", group: "Project", can: () => app.needsInitialising, run: () => app.dialogs.show({ kind: "initialise" }) },
    { id: "project.agents", title: "Teach agents about beads…", group: "Project", can: here, run: () => app.dialogs.show({ kind: "teach-agents" }) },
    { id: "project.hooks", title: "Lifecycle hooks…", group: "Project", can: here, run: () => app.dialogs.show({ kind: "hooks" }) },
    { id: "project.hook_runs", title: "What hooks did…", group: "Project", can: here, run: () => app.dialogs.show({ kind: "hook-runs" }) },
    { id: "project.backup", title: "Backup and sync…", group: "Project", can: here, run: () => app.dialogs.show({ kind: "backup" }) },
    { id: "project.worktrees", title: "Worktrees…", group: "Project", can: here, run: () => app.dialogs.show({ kind: "worktrees" }) },
    { id: "settings", title: "Settings…", group: "Window", run: () => app.dialogs.show({ kind: "settings" }) },
    { id: "project.settings", title: "Settings of the project…", group: "Project", can: here, run: () => app.dialogs.show({ kind: "settings", project: true }) },
    { id: "browser", title: "Open in another browser…", group: "Window", can: () => app.info?.serves_browsers === true, run: () => app.dialogs.show({ kind: "link" }) },
    { id: "theme.system", title: "Theme: as the system", group: "Window", run: () => void app.change({ theme: "system" }) },
    { id: "theme.dark", title: "Theme: dark", group: "Window", run: () => void app.change({ theme: "dark" }) },
    { id: "theme.light", title: "Theme: light", group: "Window", run: () => void app.change({ theme: "light" }) },
    { id: "help", title: "Keys and help", group: "Window", run: () => app.dialogs.show({ kind: "help" }) },
  ];
}

/** Shows the terminals; where they are shown, the fleet's overview. */
function sideBySide(project: App["project"]): void {
  if (!project) return;
  const { view, fleet } = project.layout;
  const shown = view === "fleet" && fleet === "terminals";
  project.layout.set({ view: "fleet", fleet: shown ? "overview" : "terminals", fill: false });
}
