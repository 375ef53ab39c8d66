/** The palette's entries, before a query ranks them. */
import type { Bead, MemoryEntry } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import { keysOf } from "../../state/keymap";
import type { Project } from "../../state/project.svelte";
import { SessionActions } from "../../state/session-actions";
import { typeName } from "../../words/memory";
import { oneLine } from "../../words/text";
import { markOf, titleOf, wordOf, type Mark } from "../../words/session";
import { statusWord } from "../../words/ready";
import type { Entry } from "./search";

export interface PaletteEntry extends Entry {
  group: "Sessions" | "Commands" | "Beads" | "Memories" | "Projects";
  mark?: Mark;
  type?: string;
  keys?: string | undefined;
  run: () => void;
}

/** The entries for a query; without one, no closed sessions, beads or memories. */
export function entriesOf(app: App, query: string, memories: readonly MemoryEntry[] = []): PaletteEntry[] {
  const asked = query.trim() !== "";
  const { project } = app;
  const entries: PaletteEntry[] = [];
  if (project) {
    const actions = new SessionActions(app, project);
    const sessions = project.sessions.list.filter((s) => asked || s.status !== "closed");
    for (const session of sessions) {
      entries.push({
        key: `session-${session.id}`,
        group: "Sessions",
        title: titleOf(session, project.beads.get(session.bead_id)),
        more: `${session.bead_id ?? ""} ${wordOf(session)}`.trim(),
        mark: markOf(session),
        run: () => actions.open(session),
      });
    }
  }
  for (const command of app.commands) {
    if (command.id === "palette" || command.id.startsWith("session.switch.") || command.can?.() === false) continue;
    entries.push({
      key: `command-${command.id}`,
      group: "Commands",
      title: command.title,
      more: command.group,
      keys: keysOf(command.id),
      run: command.run,
    });
  }
  for (const other of app.projects) {
    if (other.key === project?.key) continue;
    entries.push({
      key: `project-${other.key}`,
      group: "Projects",
      title: other.name,
      more: other.root,
      run: () => app.switchTo(other.key),
    });
  }
  // The current project's beads come first, since equally good matches keep their order.
  if (asked) for (const one of app.opened) for (const entry of beadEntries(app, one)) entries.push(entry);
  if (asked && project) {
    for (const memory of memories) {
      entries.push({
        key: `memory-${memory.id}`,
        group: "Memories",
        title: oneLine(memory.title) || memory.key,
        more: `${typeName(memory.memory_type)} · ${memory.key}`,
        found: true,
        run: () => {
          project.layout.set({ view: "memory", fill: false });
          app.dialogs.showMemory(memory.key);
        },
      });
    }
  }
  return entries;
}

/** Entries per list of beads. A list can be long, so they are built once, not at every key press. */
const CACHE = new WeakMap<readonly Bead[], PaletteEntry[]>();

function beadEntries(app: App, of: Project): PaletteEntry[] {
  const list = of.beads.list;
  const known = CACHE.get(list);
  if (known) return known;
  const words = new Map<string, string>();
  const wordOfStatus = (status: string) => {
    const known = words.get(status) ?? statusWord(status);
    words.set(status, known);
    return known;
  };
  const entries = list
    .filter(({ status }) => status !== "tombstone")
    .map((bead): PaletteEntry => {
      const id = `${bead.id} ${wordOfStatus(bead.status)}`;
      const more = app.projects.length > 1 ? `${id} · ${of.opened.name}` : id;
      return {
        key: `bead-${of.key}-${bead.id}`,
        group: "Beads",
        title: bead.title,
        more,
        lower: [bead.title.toLowerCase(), more.toLowerCase()],
        type: bead.issue_type,
        last: bead.status === "closed",
        run: () => {
          if (app.project !== of) app.switchTo(of.key);
          app.dialogs.showBead(bead.id);
        },
      };
    });
  CACHE.set(list, entries);
  return entries;
}
