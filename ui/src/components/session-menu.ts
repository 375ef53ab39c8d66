/** A session's menus, made from the list of its commands. */
import Download from "@lucide/svelte/icons/download";
import Pause from "@lucide/svelte/icons/pause";
import Play from "@lucide/svelte/icons/play";
import ScanEye from "@lucide/svelte/icons/scan-eye";
import Sigma from "@lucide/svelte/icons/sigma";
import Square from "@lucide/svelte/icons/square";
import Trash2 from "@lucide/svelte/icons/trash-2";
import type { Component } from "svelte";
import type { SessionView } from "../generated/api";
import type { SessionActions } from "../state/session-actions";
import { isOffered, sessionCommand, type SessionCommandId } from "../state/session-commands";
import type { MenuEntry } from "./menu";

const ICONS: Partial<Record<SessionCommandId, Component>> = {
  "session.pause": Pause,
  "session.resume": Play,
  "session.resume_with": ScanEye,
  "session.end": Square,
  "session.export": Download,
  "session.export_json": Download,
  "session.export_with": Download,
  "session.figures": Sigma,
  "session.delete": Trash2,
};

/** The entries of these commands, in this order. Commands that the session's state does not allow are left out. */
export function sessionMenu(
  actions: SessionActions,
  session: SessionView,
  ids: readonly SessionCommandId[],
): MenuEntry[] {
  return ids
    .map(sessionCommand)
    .filter((command) => isOffered(command, session))
    .map((command) => ({
      label: command.label,
      description: command.description,
      icon: ICONS[command.id],
      danger: command.id === "session.delete",
      run: () => void command.run(actions, session),
    }));
}

/** Joins groups of entries with separators; empty groups are left out. */
export function menuGroups(...groups: MenuEntry[][]): MenuEntry[] {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, n) => (n === 0 ? group : [{ kind: "separator" } as const, ...group]));
}
