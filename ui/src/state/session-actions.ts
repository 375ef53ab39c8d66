/** What can be done to a session from any list, bar or menu: each says what became of it. */
import type { PermissionMode, SessionEndParams, SessionResumeParams, SessionView, Status } from "../generated/api";
import { asCallError, saveFile, type CallError } from "../platform";
import { titleOf } from "../words/session";
import type { App } from "./app.svelte";
import type { Project } from "./project.svelte";

export class SessionActions {
  readonly #app: App;
  readonly #project: Project;

  constructor(app: App, project: Project) {
    this.#app = app;
    this.#project = project;
  }

  /** Shows it in the panel. */
  open(session: SessionView): void {
    this.#app.dialogs.showBead(null);
    this.#app.dialogs.showMemory(null);
    this.#app.dialogs.showFleet(null);
    this.#project.layout.openSession(session.id);
  }

  pause(session: SessionView): Promise<void> {
    return this.#try(async () => {
      this.#project.sessions.put(await this.#project.call("session.pause", { id: session.id }));
    }, { session, wanted: "paused" });
  }

  /** At once, with the prompt that the program writes. What has to be decided first is asked. */
  resume(session: SessionView): Promise<void> {
    return this.#try(async () => {
      try {
        await this.resumeWith(session, {});
      } catch (thrown) {
        if (asCallError(thrown).code !== "confirmation_needed") throw thrown;
        this.askResume(session);
      }
    }, { session, wanted: "active" });
  }

  /** Shows what would be sent, and what changed, before anything is. */
  askResume(session: SessionView): void {
    this.#app.dialogs.show({ kind: "resume", session: session.id });
  }

  /** Rejects where it cannot be done. */
  async resumeWith({ id }: SessionView, params: Omit<SessionResumeParams, "id" | "size">): Promise<void> {
    const started = await this.#project.call("session.resume", { id, size: this.#project.layout.terminal, ...params });
    this.#project.sessions.put(started.session);
    this.open(started.session);
    started.warnings.forEach((warning) => this.#app.toasts.done(warning));
  }

  /** Another permission mode: this one, or claude's next. What asks nothing any more asks first itself. */
  mode(session: SessionView, mode: PermissionMode | null = null): Promise<void> {
    const change = () =>
      this.#try(async () => {
        this.#project.sessions.put(await this.#project.call("session.mode", { id: session.id, mode }));
      });
    if (mode !== "bypassPermissions" || session.mode === mode) return change();
    this.#app.dialogs.show({
      kind: "confirm",
      title: "Let claude do everything unasked?",
      text: "In Bypass no command and no edit asks for a permission, whatever it touches.",
      action: "Switch to Bypass",
      danger: true,
      run: () => void change(),
    });
    return Promise.resolve();
  }

  interrupt(session: SessionView): Promise<void> {
    return this.#try(async () => {
      this.#project.sessions.put(await this.#project.call("session.interrupt", { id: session.id }));
    });
  }

  /** Types a held text again that claude did not confirm. */
  retry(session: SessionView, text: string): Promise<void> {
    return this.#try(async () => {
      this.#project.sessions.put(await this.#project.call("session.retry", { id: session.id, text }));
    });
  }

  /** Drops a held text; the message offers to put it back where it can be edited. */
  forget(session: SessionView, text: string, putBack: () => void): Promise<void> {
    return this.#try(async () => {
      this.#project.sessions.put(await this.#project.call("session.forget", { id: session.id, text }));
      this.#app.toasts.done("Text dropped", { label: "Put back", run: putBack });
    });
  }

  /** Ends it; asks first where its bead could move to in review. */
  askEnd(session: SessionView): void {
    this.#app.dialogs.show({ kind: "end-session", session: session.id });
  }

  /** Answers why it could not be ended, where it could not; its dialog shows that and keeps what was written. */
  async end(session: SessionView, params: Omit<SessionEndParams, "id">): Promise<CallError | null> {
    let failed: CallError | null = null;
    await this.#try(async () => {
      const ended = await this.#project.call("session.end", { id: session.id, ...params });
      this.#project.sessions.put(ended.session);
      const moved = ended.bead_status === "in_review" && session.bead_id;
      this.#app.toasts.done(moved ? `${session.bead_id} moved to In review` : `${this.#name(session)} ended`);
      ended.warnings.forEach((warning) => this.#app.toasts.done(warning));
    }, { session, wanted: "closed" }, (error) => (failed = error));
    return failed;
  }

  /** Asks as what, and what is in it. */
  askExport(sessions: readonly SessionView[]): void {
    if (sessions.length > 0) this.#app.dialogs.show({ kind: "export", sessions: sessions.map(({ id }) => id) });
  }

  /** What it took, in numbers. */
  showFigures(session: SessionView): void {
    this.#app.dialogs.show({ kind: "figures", session: session.id });
  }

  export(session: SessionView, format: "md" | "json" = "md"): Promise<void> {
    return this.#try(async () => {
      const { file_name, text } = await this.#project.call("session.export", { id: session.id, format });
      const place = await saveFile(file_name, text, format === "md" ? "text/markdown" : "application/json");
      this.#app.toasts.done(`Exported ${place}`);
    });
  }

  /** Into the trash folder; the message offers the way back. */
  delete(session: SessionView): Promise<void> {
    return this.#try(async () => {
      await this.#project.call("session.delete", { id: session.id });
      this.#project.sessions.remove(session.id);
      if (this.#project.layout.session === session.id) this.#project.layout.closePanel();
      this.#app.toasts.done(`${this.#name(session)} deleted`, {
        label: "Undo",
        run: () => void this.restore(session),
      });
    });
  }

  restore(session: SessionView): Promise<void> {
    return this.#try(async () => {
      this.#project.sessions.put(await this.#project.call("session.restore", { id: session.id }));
    });
  }

  #name(session: SessionView): string {
    return titleOf(session, this.#project.beads.get(session.bead_id));
  }

  /** Where another window was faster the session is as it was wanted: that is told, and it is no error. */
  async #try(work: () => Promise<void>, to?: { session: SessionView; wanted: Exclude<Status, "draft"> }, fail: (error: CallError) => unknown = (error) => this.#app.toasts.error(error)): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      const stale = to && asCallError(thrown).code === "session_state";
      const now = stale ? await this.#project.call("session.show", { id: to.session.id }).catch(() => null) : null;
      if (now) this.#project.sessions.put(now);
      if (to && now?.status === to.wanted) this.#app.toasts.done(`${this.#name(now)} was ${BECAME[to.wanted]} already, in another window`);
      else fail(asCallError(thrown));
    }
  }
}

const BECAME = { active: "resumed", paused: "paused", closed: "ended" };
