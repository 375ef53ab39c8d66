/** The user's actions on one session: one list for its menus and the palette. */
import type { SessionView, Status } from "../generated/api";
import type { SessionActions } from "./session-actions";

export type SessionCommandId =
  | "session.pause"
  | "session.resume"
  | "session.resume_with"
  | "session.interrupt"
  | "session.end"
  | "session.export"
  | "session.export_json"
  | "session.export_with"
  | "session.figures"
  | "session.delete";

export interface SessionCommand {
  id: SessionCommandId;
  /** The name in the session's own menus. */
  label: string;
  /** The name in the palette; without it, the palette does not offer the action. */
  title?: string;
  description?: string;
  /** The statuses in which the action is offered; all if absent. */
  when?: readonly Status[];
  run: (actions: SessionActions, session: SessionView) => unknown;
}

const COMMANDS: readonly SessionCommand[] = [
  {
    id: "session.pause",
    label: "Pause",
    title: "Pause session",
    when: ["active"],
    run: (actions, session) => actions.pause(session),
  },
  {
    id: "session.resume",
    label: "Resume",
    title: "Resume session",
    when: ["paused"],
    run: (actions, session) => actions.resume(session),
  },
  {
    id: "session.resume_with",
    label: "Review changes and resume…",
    title: "Review changes and resume…",
    when: ["paused"],
    run: (actions, session) => actions.askResume(session),
  },
  {
    id: "session.interrupt",
    label: "Interrupt",
    title: "Interrupt Claude",
    when: ["active"],
    run: (actions, session) => actions.interrupt(session),
  },
  {
    id: "session.end",
    label: "End…",
    title: "End session…",
    when: ["active", "paused", "draft"],
    run: (actions, session) => actions.askEnd(session),
  },
  {
    id: "session.export",
    label: "Export as Markdown",
    title: "Export session as Markdown",
    run: (actions, session) => actions.export(session),
  },
  {
    id: "session.export_json",
    label: "Export as JSON",
    run: (actions, session) => actions.export(session, "json"),
  },
  {
    id: "session.export_with",
    label: "Export…",
    title: "Export session…",
    description: "choose format and content",
    run: (actions, session) => actions.askExport([session]),
  },
  {
    id: "session.figures",
    label: "Metrics",
    title: "Session metrics",
    run: (actions, session) => actions.showFigures(session),
  },
  {
    id: "session.delete",
    label: "Delete",
    when: ["closed"],
    run: (actions, session) => actions.delete(session),
  },
];

export function sessionCommand(id: SessionCommandId): SessionCommand {
  const found = COMMANDS.find((command) => command.id === id);
  if (!found) throw new Error(`no session command ${id}`);
  return found;
}

export function isOffered(command: SessionCommand, session: SessionView | undefined): boolean {
  return session !== undefined && (command.when?.includes(session.status) ?? true);
}
