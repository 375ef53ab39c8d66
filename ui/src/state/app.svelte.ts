/** The state of the whole program, which views read from the context. */
import { createContext } from "svelte";
import type { AppInfo, EventEnvelope, OpenProject, ProjectKey, Settings, SettingsChange } from "../generated/api";
import { asCallError, type CallError, type Connection, type Host } from "../platform";
import { Clock } from "./clock.svelte";
import { Provided, commandsOf, type Command, type CommandId } from "./commands";
import { DEFAULT_SETTINGS } from "./default-settings";
import { Dialogs } from "./dialogs.svelte";
import { Inbox } from "./inbox.svelte";
import { NewVersion } from "./new-version.svelte";
import { Notifications } from "./notifications.svelte";
import { People } from "./people.svelte";
import { Places } from "./places.svelte";
import { Project } from "./project.svelte";
import { applyTheme } from "./theme";
import { Toasts } from "./toasts.svelte";
import { Viewport } from "./window.svelte";

/** The key of the current project in the browser's storage. */
const CURRENT = "project";

export class App {
  readonly host: Host;
  readonly toasts = new Toasts();
  readonly dialogs = new Dialogs();
  readonly clock = new Clock();
  readonly provided = new Provided();
  readonly viewport = new Viewport();
  readonly inbox = new Inbox(this);
  readonly newVersion = new NewVersion(this);
  readonly notifications: Notifications;
  readonly people: People;
  readonly places: Places;
  readonly commands: Command[];

  info = $state.raw<AppInfo | null>(null);
  settings = $state.raw<Settings>(DEFAULT_SETTINGS);
  projects = $state.raw<OpenProject[]>([]);
  recent = $state.raw<string[]>([]);
  project = $state.raw<Project | null>(null);
  connection = $state<Connection>("connecting");
  loaded = $state(false);
  error = $state.raw<CallError | null>(null);

  /** Whether the screen is ready to show: a project's beads and sessions, the welcome screen, or an error. */
  readonly begun = $derived.by(() => {
    if (!this.project) return this.loaded || this.error !== null;
    return this.project.beads.phase.state !== "loading" && this.project.sessions.phase.state !== "loading";
  });

  /**
   * Whether the project's folder has no beads, so that it must be initialized first. It is derived, because a getter
   * would rerun the effects that use it after each load.
   */
  readonly needsInitializing: boolean = $derived.by(() => {
    const phase = this.project?.beads.phase;
    return phase?.state === "failed" && phase.error.code === "no_beads";
  });

  readonly #opened = new Map<ProjectKey, Project>();

  constructor(host: Host) {
    this.host = host;
    this.commands = commandsOf(this);
    this.notifications = new Notifications(this, host.notifier);
    this.people = new People(host);
    this.places = new Places(host);
  }

  #askAboutGit(): void {
    const text = "This repository's git settings name programs that you have not allowed. Git was not run.";
    this.toasts.error(new Error(text), {
      label: "Review…",
      run: () => this.dialogs.show({ kind: "hooks", git: true }),
    });
  }

  /** Waits until the screen is ready to show, but no longer than `atMost` milliseconds. */
  beginning(atMost: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(done, atMost);
      const stop = $effect.root(() => {
        $effect(() => {
          if (this.begun) queueMicrotask(done);
        });
      });
    });
  }

  /** Runs a command if it is available. Returns whether it ran. */
  run(id: CommandId): boolean {
    const command = this.commands.find((c) => c.id === id);
    if (!command || command.can?.() === false) return false;
    command.run();
    return true;
  }

  /** Subscribes to events before loading, so that none is missed. */
  start(): () => void {
    let requested = false;
    const leave = () => this.#opened.forEach((project) => project.layout.leave());
    window.addEventListener("pagehide", leave);
    const stop = this.host.events(
      null,
      (envelope) => this.#apply(envelope),
      (state) => {
        this.#connectionChanged(state);
        if (requested || state === "connecting") return;
        requested = true;
        void this.load();
      },
    );
    const stopNotifications = this.notifications.start();
    return () => {
      window.removeEventListener("pagehide", leave);
      stopNotifications();
      this.newVersion.stop();
      stop();
    };
  }

  /** Tracks the connection: after a reconnect, retries failed loads; after a loss, checks whether access was
   * refused. */
  #connectionChanged(state: Connection): void {
    const before = this.connection;
    // A connection that was live keeps retrying after a refusal, since another tab may open the new link. It stays
    // refused until a retry succeeds.
    if (before !== "refused" || state !== "lost") this.connection = state;
    if (state === "live" && before !== "connecting") {
      if (!this.loaded) void this.load();
      this.#opened.forEach((project) => project.recover());
    } else if (state === "lost") {
      this.host.call("app.info", {}).catch((thrown) => {
        if (asCallError(thrown).code === "unauthorised") this.connection = "refused";
      });
    }
  }

  async load(): Promise<void> {
    try {
      await Promise.all([this.#loadFirst(), this.#loadInfo()]);
      void this.newVersion.remind();
    } catch (thrown) {
      this.error = asCallError(thrown);
    }
  }

  /** Loads the settings and projects, which the first screen needs. */
  async #loadFirst(): Promise<void> {
    const [settings] = await Promise.all([this.host.call("app.settings", {}), this.#loadProjects()]);
    this.settings = settings;
    applyTheme(settings.theme);
    this.error = null;
    this.loaded = true;
  }

  /** Loads `info`. The engine runs external programs for it, so the first screen does not wait. */
  async #loadInfo(): Promise<void> {
    this.info = await this.host.call("app.info", {});
  }

  async open(path: string): Promise<void> {
    const opened = await this.host.call("app.open_project", { path });
    await this.#loadProjects();
    this.switchTo(opened.key);
  }

  /** The open projects, the current one first. */
  get opened(): Project[] {
    const others = this.projects
      .flatMap(({ key }) => this.#opened.get(key) ?? [])
      .filter((one) => one !== this.project);
    return this.project ? [this.project, ...others] : others;
  }

  async openSample(): Promise<void> {
    const opened = await this.host.call("app.open_sample", {});
    await this.#loadProjects();
    this.switchTo(opened.key);
  }

  /** The number of needs in a project. */
  waitingIn(key: ProjectKey): number {
    return this.#opened.get(key)?.needs.items.length ?? 0;
  }

  /** `(2) gatehouse · Beads Console`: with the number of needs in all projects. */
  get windowTitle(): string {
    const count = this.inbox.items.length;
    const name = this.project ? `${this.project.opened.name} · Beads Console` : "Beads Console";
    return count > 0 ? `(${count}) ${name}` : name;
  }

  async close(key: ProjectKey): Promise<void> {
    const { projects, recent } = await this.host.call("app.close_project", { project: key });
    this.#opened.delete(key);
    this.#setProjects(projects, recent);
  }

  switchTo(key: ProjectKey): void {
    const opened = this.projects.find((p) => p.key === key);
    if (!opened) return;
    this.dialogs.closeSheets();
    this.project = this.#projectOf(opened);
    this.project.loadOnce();
    localStorage.setItem(CURRENT, key);
  }

  async change(change: SettingsChange): Promise<void> {
    if (change.theme) applyTheme(change.theme);
    try {
      this.settings = await this.host.call("app.set_settings", change);
    } catch (thrown) {
      this.toasts.error(thrown);
    }
    applyTheme(this.settings.theme);
  }

  async #loadProjects(): Promise<void> {
    const { projects, recent } = await this.host.call("app.projects", {});
    this.#setProjects(projects, recent);
  }

  #setProjects(projects: OpenProject[], recent: string[]): void {
    this.projects = projects;
    this.recent = recent;
    for (const opened of projects) {
      const known = this.#opened.get(opened.key);
      if (!known) continue;
      const returned = opened.available && !known.opened.available;
      known.opened = opened;
      if (returned) known.apply({ type: "resync" });
    }
    const key = this.project?.key ?? localStorage.getItem(CURRENT);
    const wanted = projects.find((p) => p.key === key) ?? projects[0];
    if (!wanted) this.project = null;
    else if (this.project?.key !== wanted.key) this.switchTo(wanted.key);
    // Projects in the background load only their sessions and needs.
    for (const opened of projects) {
      const project = this.#projectOf(opened);
      void project.sessions.loadOnce();
      void project.needs.loadOnce();
    }
  }

  #projectOf(opened: OpenProject): Project {
    let project = this.#opened.get(opened.key);
    if (!project) {
      project = new Project(this.host, opened, () => this.#askAboutGit(), this.toasts);
      this.#opened.set(opened.key, project);
    }
    return project;
  }

  #apply({ project, event }: EventEnvelope): void {
    if (event.type === "projects_changed") void this.#loadProjects().catch((thrown) => this.toasts.error(thrown));
    else if (event.type === "people_changed") this.people.changed();
    else if (project !== undefined) this.#opened.get(project)?.apply(event);
    else if (event.type === "resync") {
      void this.load();
      this.#opened.forEach((p) => p.apply(event));
    }
  }
}

export const [useApp, provideApp] = createContext<App>();

/** The project of all components below, which are re-created when another project is selected. */
export const [useProject, provideProject] = createContext<Project>();
