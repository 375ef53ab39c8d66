/** The needs of all open projects. */
import type { Need, NeedKind, ProjectKey } from "../generated/api";
import { KINDS } from "../words/needs";
import type { App } from "./app.svelte";
import type { Project } from "./project.svelte";
import { SessionActions } from "./session-actions";

export interface InboxItem {
  project: Project;
  need: Need;
}

export class Inbox {
  /** The chosen project; null for all. */
  project = $state<ProjectKey | null>(null);
  /** The chosen kind; null for all. */
  kind = $state<NeedKind | null>(null);
  readonly #app: App;

  /** Sorted by kind, then oldest first. */
  readonly items: readonly InboxItem[] = $derived.by(() =>
    this.#app.opened
      .flatMap((project) => project.needs.items.map((need): InboxItem => ({ project, need })))
      .sort((a, b) => rank(a.need) - rank(b.need) || Date.parse(a.need.since) - Date.parse(b.need.since)),
  );
  readonly shown: readonly InboxItem[] = $derived.by(() =>
    this.items.filter(
      ({ project, need }) =>
        (this.project === null || project.key === this.project) && (this.kind === null || need.kind === this.kind),
    ),
  );
  /** The projects with items, the current one first. */
  readonly projects: readonly { project: Project; count: number }[] = $derived.by(() =>
    this.#app.opened
      .map((project) => ({ project, count: project.needs.items.length }))
      .filter(({ count }) => count > 0),
  );

  constructor(app: App) {
    this.#app = app;
  }

  /** Shows the inbox; in a narrow window, it replaces the session. */
  show(): void {
    const app = this.#app;
    if (app.viewport.narrow) app.project?.layout.closePanel();
    app.run("view.inbox");
  }

  /** Opens an item's session or review in its project, or else the fleet view with the merge queue. */
  open({ project, need }: InboxItem): void {
    const app = this.#app;
    if (app.project !== project) app.switchTo(project.key);
    app.dialogs.close();
    if (need.kind === "review" && need.bead) {
      project.layout.set({ view: "fleet", fill: false });
      app.dialogs.showFleet({ kind: "review", bead: need.bead });
      return;
    }
    const session = project.sessions.get(need.session);
    if (need.kind === "merge" || !session) {
      project.layout.set({ view: "fleet", fill: false });
      return;
    }
    app.dialogs.closeSheets();
    const inTerminal = ["login", "trust", "dialog"].includes(need.kind);
    project.layout.set({ tab: inTerminal ? "terminal" : "chat" });
    new SessionActions(app, project).open(session);
  }

  /** Whether the user can see the item now: the window has focus and shows the item's session or the inbox. */
  onScreen({ project, need }: InboxItem): boolean {
    if (document.visibilityState === "hidden" || !document.hasFocus() || this.#app.project !== project) return false;
    const { view, session, fill } = project.layout;
    if (need.session !== null && need.session !== undefined && session === need.session) return true;
    return view === "inbox" && !fill;
  }
}

function rank({ kind }: Need): number {
  return KINDS.findIndex((one) => one.kind === kind);
}
