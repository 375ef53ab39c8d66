/** An open project and its state in this window. Once it is loaded, events keep it up to date. */
import type {
  AgentInfo,
  BeadId,
  Event,
  OpenProject,
  ProjectInfo,
  ProjectKey,
  SessionId,
  SessionView,
} from "../generated/api";
import { asCallError, type Call, type CallError, type Host } from "../platform";
import { inWindow } from "../words/errors";
import { BeadEdits } from "./bead-edits.svelte";
import { BeadForm } from "./bead-form.svelte";
import { Beads } from "./beads.svelte";
import { Board } from "./board.svelte";
import { Bulk } from "./bulk.svelte";
import { Comments } from "./comments.svelte";
import { Conversations } from "./conversations.svelte";
import { Fleet } from "./fleet.svelte";
import { Layout } from "./layout.svelte";
import { Memories } from "./memories.svelte";
import { ProjectNeeds } from "./needs.svelte";
import { NewBead } from "./new-bead.svelte";
import { NextOffer, startedNext } from "./next-bead.svelte";
import type { Reading } from "./reading.svelte";
import { Replies } from "./replies.svelte";
import { Sessions } from "./sessions.svelte";
import { Stale } from "./stale.svelte";
import { Toasts } from "./toasts.svelte";
import { Unsent } from "./unsent";
import { Viewed } from "./viewed.svelte";

export class Project {
  readonly key: ProjectKey;
  /** Calls a command of this project. */
  readonly call: Call = (method, params) =>
    this.#host.call(method, params, this.key).catch((thrown: unknown) => {
      if (asCallError(thrown).code === "programs_not_allowed") this.#onProgramsRefused();
      throw thrown;
    });
  readonly beads: Beads;
  readonly board: Board;
  /** Changes of beads, and their undo. */
  readonly edits: BeadEdits;
  /** The bulk change that runs, or the results of the last one. */
  readonly bulk = new Bulk();
  readonly sessions: Sessions;
  readonly needs: ProjectNeeds;
  readonly conversations: Conversations;
  readonly memories = new Memories(this.call);
  readonly fleet = new Fleet(this.call);
  readonly layout: Layout;
  readonly replies = new Replies();
  /** Partially loaded conversations, which receive new messages. */
  readonly readings = new Set<Reading>();
  /** Unsent comments on changes. */
  readonly unsent = new Unsent();
  /** The beads to start next, after a close. */
  readonly next = new NextOffer(this.call);
  readonly stale: Stale;
  readonly newBead: NewBead;
  /** The project's entry in the list of open projects. */
  opened = $state.raw({} as OpenProject);
  info = $state.raw<ProjectInfo | null>(null);
  agents = $state.raw<AgentInfo[]>([]);
  /** Why the last backup or push failed; null if it succeeded. */
  backupTrouble = $state<string | null>(null);
  /** Why the project information could not be loaded. */
  error = $state.raw<CallError | null>(null);

  /** The forms with unsaved edits, and the last opened form. */
  readonly #forms = new Map<BeadId, BeadForm>();
  /** Viewed files per session. */
  readonly #viewed = new Map<SessionId, Viewed>();
  readonly #comments = new Map<SessionId, Comments>();
  /** The number of commits made in this window; views of changes reload when it increases. */
  committed = $state(0);
  /** Unsent texts of commits and pull requests, per session. */
  readonly texts = new Map<string, string>();
  readonly #host: Host;
  readonly #onProgramsRefused: () => void;
  #loaded = false;

  /** `onProgramsRefused` is called if git was not run, because the repository's settings name programs that the user
   * has not allowed. */
  constructor(host: Host, opened: OpenProject, onProgramsRefused: () => void = () => {}, toasts = new Toasts()) {
    this.#host = host;
    this.#onProgramsRefused = onProgramsRefused;
    this.opened = opened;
    this.key = opened.key;
    this.newBead = new NewBead(opened.key);
    this.beads = new Beads(host, opened.key);
    this.edits = new BeadEdits(this.call, this.beads, toasts);
    this.sessions = new Sessions(host, opened.key);
    this.needs = new ProjectNeeds(this.call, this.sessions);
    this.conversations = new Conversations(host, opened.key, (id) => this.sessions.get(id)?.message_count ?? 0);
    // If saving fails, this window still keeps the layout.
    this.layout = new Layout(opened.key, opened.layout, (layout) =>
      host.call("app.keep_layout", { project: opened.key, layout }),
    );
    this.board = new Board(this.beads, this.layout, (query) => this.call("bead.query", { query }));
    this.edits.onclosed = (id, started) => {
      if (started) startedNext(started, toasts, this.layout);
      else void this.next.offer(id);
    };
    this.stale = new Stale(this.call, this.layout);
  }

  /** The viewed files of a session, shared by all components. */
  viewedOf(id: SessionId): Viewed {
    const viewed = this.#viewed.get(id) ?? new Viewed(this.call, id);
    this.#viewed.set(id, viewed);
    return viewed;
  }

  /** The comments on a session's changes, shared by all components. */
  commentsOf(id: SessionId): Comments {
    const comments = this.#comments.get(id) ?? new Comments(this.call, id);
    this.#comments.set(id, comments);
    return comments;
  }

  /** The form of a bead. Unsaved edits survive closing the sheet. */
  formOf(id: BeadId): BeadForm {
    for (const [other, form] of this.#forms) if (other !== id && !form.unsaved) this.#forms.delete(other);
    const form = this.#forms.get(id) ?? new BeadForm(id, this.call, this.beads, this.edits);
    this.#forms.set(id, form);
    return form;
  }

  /** Loads the project when it is first opened. */
  loadOnce(): void {
    if (this.#loaded) return;
    this.#loaded = true;
    void this.load();
  }

  /** Loads only the beads, for a search from another project. Until this project is opened, only a `resync` event
   * updates them. */
  loadForSearch(): void {
    if (!this.#loaded && this.opened.available) void this.beads.reload();
  }

  /** Retries failed loads after a lost connection. */
  recover(): void {
    if (this.error) void this.#loadInfo();
    if (this.beads.phase.state === "failed") void this.beads.reload();
    if (this.sessions.phase.state === "failed") void this.sessions.reload();
    this.needs.changed();
    if (this.memories.phase.state === "failed") this.memories.changed();
    if (this.fleet.overview.error || this.fleet.queue.error) this.fleet.changed();
  }

  async load(): Promise<void> {
    await Promise.all([
      this.#loadInfo(),
      this.beads.reload(),
      this.sessions.reload(),
      this.lookAtBackup(),
      this.edits.load(),
    ]);
  }

  async lookAtBackup(): Promise<void> {
    try {
      const { branch } = await this.call("backup.status", {});
      const trouble = branch.problem ?? branch.push_error;
      this.backupTrouble =
        trouble === null || trouble === undefined ? null : inWindow({ code: "io", message: trouble }).message;
    } catch {
      // The backup dialog shows this error.
      this.backupTrouble = null;
    }
  }

  apply(event: Event): void {
    switch (event.type) {
      case "beads_changed":
        if (this.#loaded) void this.beads.reload();
        this.memories.changed();
        this.fleet.changed();
        this.needs.changed();
        return;
      case "session_changed":
        // The end of a session creates a backup, so the backup's state is loaded after each status change.
        if (this.#loaded && this.sessions.get(event.session.id)?.status !== event.session.status)
          void this.lookAtBackup();
        if (looksDifferent(this.sessions.get(event.session.id), event.session)) {
          this.fleet.changed();
          this.needs.changed();
        }
        this.sessions.put(event.session);
        this.conversations.noteCount(event.session.id, event.session.message_count);
        if (event.session.status !== "active") this.conversations.known(event.session.id)?.settle();
        return;
      case "session_deleted":
        this.sessions.remove(event.id);
        this.needs.changed();
        this.conversations.forget(event.id);
        this.#viewed.delete(event.id);
        if (this.layout.session === event.id) this.layout.closePanel();
        return;
      case "message_upserted":
        this.conversations.known(event.session_id)?.upsert(event.message);
        for (const reading of this.readings) if (reading.id === event.session_id) reading.upsert(event.message);
        // The list shows the last message of a finished turn, which may be recorded after the turn's end.
        if (this.sessions.get(event.session_id)?.state === "your_turn") this.needs.changed();
        return;
      case "stream_delta":
        this.conversations.known(event.session_id)?.delta(event.message_id, event.index, event.text, event.final);
        return;
      case "resync":
        this.conversations.reload();
        if (this.#loaded) void this.edits.load();
        this.memories.changed();
        this.fleet.changed();
        for (const reading of this.readings) void reading.open();
        for (const viewed of this.#viewed.values()) void viewed.read();
        this.needs.changed();
        for (const comments of this.#comments.values()) void comments.read();
        void this.load();
        return;
      case "viewed_changed":
        void this.#viewed.get(event.id)?.read();
        void this.#comments.get(event.id)?.read();
        return;
      case "fleet_changed":
        this.fleet.changed();
        this.needs.changed();
        return;
      case "projects_changed":
        return;
    }
  }

  async #loadInfo(): Promise<void> {
    try {
      const [info, { agents }] = await Promise.all([this.call("project.info", {}), this.call("agent.list", {})]);
      this.info = info;
      this.agents = agents;
      this.error = null;
    } catch (thrown) {
      this.error = asCallError(thrown);
    }
  }
}

/** Whether the fleet view or the needs show the session differently now. */
function looksDifferent(before: SessionView | undefined, now: SessionView): boolean {
  const visible = ({ state, status, live }: SessionView) =>
    [state, status, live?.activity, live?.permissions.map(({ id }) => id), live?.troubles.length].join();
  return before === undefined || visible(before) !== visible(now);
}
