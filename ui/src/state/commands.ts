/**
 * The application's commands, for the palette, keys and menus. A feature whose command acts on its own screen (the
 * board's cursor, a session's tabs) registers the implementation with `provide`.
 */
import type { Theme } from "../generated/api";
import type { App } from "./app.svelte";
import { BEAD_VIEWS, type BeadView } from "./beads-layout";
import type { Dialog } from "./dialogs.svelte";
import { DIGITS } from "./keymap";
import { SessionActions } from "./session-actions";
import { isOffered, sessionCommand, type SessionCommandId } from "./session-commands";
import { TABS, VIEWS, type Tab, type View } from "./tabs";
import { THEMES } from "./theme";

type Digit = (typeof DIGITS)[number];

export type CommandId =
  | "palette"
  | "help"
  | "report"
  | "search"
  | "sidebar"
  | "settings"
  | "project.settings"
  | "browser"
  | "people"
  | `view.${View}`
  | "bead.create"
  | "undo"
  | "project.open"
  | "project.sample"
  | "project.initialize"
  | "project.agents"
  | "memory.new"
  | "memory.import"
  | "memory.prime"
  | "memory.graph"
  | "memory.down"
  | "memory.up"
  | "memory.open"
  | "memory.select"
  | "memory.zoom_in"
  | "memory.zoom_out"
  | "memory.fit"
  | "project.hooks"
  | "project.hook_runs"
  | "project.backup"
  | "project.worktrees"
  | "session.new"
  | SessionCommandId
  | "session.export_found"
  | "session.old"
  | "session.mode"
  | `session.switch.${Digit}`
  | "panel.close"
  | "panel.fill"
  | `panel.${Tab}`
  | "panel.beside"
  | "transcript.find"
  | `theme.${Theme}`
  | "board.left"
  | "board.down"
  | "board.up"
  | "board.right"
  | "board.move_left"
  | "board.move_right"
  | "board.move_to"
  | "board.menu"
  | "board.options"
  | "board.open"
  | "board.start"
  | "board.select"
  | "board.copy"
  | "board.filters"
  | "board.edit"
  | "board.select_all"
  | `beads.${BeadView}`
  | "beads.saved"
  | "graph.zoom_in"
  | "graph.zoom_out"
  | "graph.fit"
  | "fleet.down"
  | "fleet.up"
  | "fleet.open"
  | "fleet.act"
  | "fleet.select"
  | "fleet.agent"
  | "fleet.convoy"
  | "fleet.assign_all"
  | "fleet.broadcast"
  | "fleet.pause"
  | "fleet.settings"
  | "fleet.terminals"
  | "fleet.pane_next"
  | "fleet.pane_previous"
  | "fleet.pane_zoom";

/** In the order of the help dialog. */
export const GROUPS = ["Go to", "Beads", "Memory", "Fleet", "Session", "Project", "Window"] as const;
export type Group = (typeof GROUPS)[number];

export interface Command {
  id: CommandId;
  title: string;
  group: Group;
  /** Whether the command is available; always if absent. */
  can?: (() => boolean) | undefined;
  run: () => void;
}

/** Implementations that features register; the most recent one runs. */
export class Provided {
  readonly #stacks = new Map<CommandId, (() => void)[]>();

  provide(commands: Partial<Record<CommandId, () => void>>): () => void {
    const entries = Object.entries(commands) as [CommandId, () => void][];
    for (const [id, run] of entries) this.#stacks.set(id, [...(this.#stacks.get(id) ?? []), run]);
    return () => {
      for (const [id, run] of entries) {
        this.#stacks.set(
          id,
          (this.#stacks.get(id) ?? []).filter((other) => other !== run),
        );
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
  const ofSession = (id: SessionCommandId): Command => {
    const command = sessionCommand(id);
    return {
      id,
      title: command.title ?? command.label,
      group: "Session",
      can: () => isOffered(command, session()),
      run: () => {
        const [here, it] = [project(), session()];
        if (here && it) void command.run(new SessionActions(app, here), it);
      },
    };
  };
  const provided = (id: CommandId, title: string, group: Group): Command => ({
    id,
    title,
    group,
    can: () => app.provided.get(id) !== undefined,
    run: () => app.provided.get(id)?.(),
  });
  const dialog = (id: CommandId, title: string, group: Group, shown: Dialog, can?: () => boolean): Command => ({
    id,
    title,
    group,
    can,
    // Each opening is a new object, so that a late answer to an earlier one does not close it.
    run: () => app.dialogs.show({ ...shown }),
  });
  const go = (view: View) => () => {
    // Sheets belong to the view behind them, which changes.
    app.dialogs.closeSheets();
    project()?.layout.set({ view, fill: false });
  };
  const here = () => project() !== null;
  const withBeads = () => here() && !app.needsInitializing;
  const serving = () => app.info?.serves_browsers === true;

  return [
    dialog("palette", "Command palette…", "Window", { kind: "palette" }),
    ...VIEWS.map(({ id, name }): Command => ({
      id: `view.${id}`,
      title: name,
      group: "Go to",
      can: here,
      run: go(id),
    })),
    provided("search", "Search this view", "Go to"),
    dialog("bead.create", "New bead…", "Beads", { kind: "create-bead" }, withBeads),
    {
      id: "undo",
      title: "Undo last change",
      group: "Beads",
      can: () => project()?.edits.undo.last !== undefined,
      run: () => void project()?.edits.undo.undo(),
    },
    provided("board.open", "Open focused bead", "Beads"),
    provided("board.start", "Start work on focused bead…", "Beads"),
    provided("board.select", "Select focused bead", "Beads"),
    provided("board.copy", "Copy bead ID", "Beads"),
    provided("board.filters", "Clear board filters", "Beads"),
    provided("board.edit", "Edit title of focused bead", "Beads"),
    provided("board.select_all", "Select all shown beads", "Beads"),
    ...BEAD_VIEWS.map(({ id, name }): Command => ({
      id: `beads.${id}`,
      title: `Beads: ${name}`,
      group: "Go to",
      can: withBeads,
      run: () => {
        go("board")();
        project()?.layout.setBeads({ view: id });
      },
    })),
    dialog("beads.saved", "Saved views…", "Beads", { kind: "saved-views" }, withBeads),
    provided("graph.zoom_in", "Bead graph: zoom in", "Beads"),
    provided("graph.zoom_out", "Bead graph: zoom out", "Beads"),
    provided("graph.fit", "Bead graph: zoom to fit", "Beads"),
    provided("board.left", "Previous column", "Beads"),
    provided("board.down", "Next bead", "Beads"),
    provided("board.up", "Previous bead", "Beads"),
    provided("board.right", "Next column", "Beads"),
    provided("board.move_left", "Move bead to previous column", "Beads"),
    provided("board.move_right", "Move bead to next column", "Beads"),
    provided("board.move_to", "Move bead to…", "Beads"),
    provided("board.menu", "Actions for focused bead…", "Beads"),
    provided("board.options", "Board options…", "Beads"),
    dialog("memory.new", "New memory…", "Memory", { kind: "remember" }, withBeads),
    dialog("memory.import", "Import MEMORY.md…", "Memory", { kind: "import-memories" }, withBeads),
    dialog("memory.prime", "Preview agent context…", "Memory", { kind: "prime" }, withBeads),
    provided("memory.graph", "Memory graph", "Memory"),
    provided("memory.down", "Next memory", "Memory"),
    provided("memory.up", "Previous memory", "Memory"),
    provided("memory.open", "Open focused memory", "Memory"),
    provided("memory.select", "Select focused memory", "Memory"),
    provided("memory.zoom_in", "Memory graph: zoom in", "Memory"),
    provided("memory.zoom_out", "Memory graph: zoom out", "Memory"),
    provided("memory.fit", "Memory graph: zoom to fit", "Memory"),
    dialog("fleet.agent", "Add agent…", "Fleet", { kind: "fleet-agent" }, withBeads),
    dialog("fleet.convoy", "New convoy…", "Fleet", { kind: "fleet-convoy" }, withBeads),
    dialog("fleet.settings", "Fleet settings…", "Fleet", { kind: "fleet-settings" }, withBeads),
    provided("fleet.down", "Next agent or ready bead", "Fleet"),
    provided("fleet.up", "Previous agent or ready bead", "Fleet"),
    provided("fleet.open", "Open focused agent or bead", "Fleet"),
    provided("fleet.act", "Act on focused agent, or assign bead", "Fleet"),
    provided("fleet.select", "Select focused agent", "Fleet"),
    provided("fleet.assign_all", "Assign all ready beads", "Fleet"),
    provided("fleet.broadcast", "Message agents…", "Fleet"),
    provided("fleet.pause", "Pause or resume all agents", "Fleet"),
    {
      id: "fleet.terminals",
      title: "Terminals side by side",
      group: "Fleet",
      can: here,
      run: () => sideBySide(project()),
    },
    provided("fleet.pane_next", "Next terminal", "Fleet"),
    provided("fleet.pane_previous", "Previous terminal", "Fleet"),
    provided("fleet.pane_zoom", "Maximize terminal, or show all", "Fleet"),
    dialog("session.new", "New session…", "Session", { kind: "new-session" }, here),
    ...DIGITS.map((n): Command => ({
      id: `session.switch.${n}`,
      title: `Switch to session ${n}`,
      group: "Session",
      can: () => (project()?.sessions.shown.length ?? 0) >= n,
      run: () => {
        const [here, it] = [project(), project()?.sessions.shown[n - 1]];
        if (here && it) new SessionActions(app, here).open(it);
      },
    })),
    ofSession("session.pause"),
    ofSession("session.resume"),
    ofSession("session.resume_with"),
    ofSession("session.interrupt"),
    ofSession("session.end"),
    dialog("session.old", "Old sessions…", "Session", { kind: "old-sessions" }, withBeads),
    ofSession("session.export"),
    ofSession("session.export_with"),
    provided("session.export_found", "Export found sessions…", "Session"),
    ofSession("session.figures"),
    provided("session.mode", "Next permission mode", "Session"),
    ...TABS.map(({ id, title }) => provided(`panel.${id}`, title, "Go to")),
    provided("panel.beside", "Show changes in split view, or as a tab", "Go to"),
    provided("transcript.find", "Find in transcript", "Go to"),
    {
      id: "panel.fill",
      title: "Maximize session panel",
      group: "Window",
      can: () => session() !== undefined,
      run: () => project()?.layout.set({ fill: !project()?.layout.fill }),
    },
    {
      id: "panel.close",
      title: "Close session panel",
      group: "Window",
      can: () => session() !== undefined,
      run: () => project()?.layout.closePanel(),
    },
    {
      id: "sidebar",
      title: "Collapse sidebar",
      group: "Window",
      can: here,
      run: () => project()?.layout.set({ rail: !project()?.layout.rail }),
    },
    dialog("project.open", "Open another folder…", "Project", { kind: "open-folder" }),
    {
      id: "project.sample",
      title: "Open the sample project",
      group: "Project",
      can: () => !app.projects.some(({ sample }) => sample),
      run: () => void app.openSample().catch((thrown) => app.toasts.error(thrown)),
    },
    dialog(
      "project.initialize",
      "Set up project…",
      "Project",
      { kind: "initialize" },
      () => app.needsInitializing || project()?.info?.has_commit === false,
    ),
    dialog("project.agents", "Teach agents about beads…", "Project", { kind: "teach-agents" }, here),
    dialog("project.hooks", "Lifecycle hooks…", "Project", { kind: "hooks" }, here),
    dialog("project.hook_runs", "Hook runs…", "Project", { kind: "hook-runs" }, withBeads),
    dialog("project.backup", "Backup and sync…", "Project", { kind: "backup" }, withBeads),
    dialog("project.worktrees", "Worktrees…", "Project", { kind: "worktrees" }, withBeads),
    dialog("settings", "Settings…", "Window", { kind: "settings" }),
    dialog("project.settings", "Project settings…", "Project", { kind: "settings", project: true }, here),
    dialog("browser", "Open in another browser…", "Window", { kind: "link" }, serving),
    dialog("people", "People with access…", "Window", { kind: "people" }, serving),
    ...THEMES.map(({ value, name }): Command => ({
      id: `theme.${value}`,
      title: `Theme: ${name.toLowerCase()}`,
      group: "Window",
      run: () => void app.change({ theme: value }),
    })),
    dialog("report", "Report a problem…", "Window", { kind: "report" }),
    dialog("help", "Keyboard shortcuts", "Window", { kind: "help" }),
  ];
}

/** Shows the terminals side by side, or the fleet's overview if the terminals are already shown. */
function sideBySide(project: App["project"]): void {
  if (!project) return;
  const { view, fleet } = project.layout;
  const shown = view === "fleet" && fleet === "terminals";
  project.layout.set({ view: "fleet", fleet: shown ? "overview" : "terminals", fill: false });
}
